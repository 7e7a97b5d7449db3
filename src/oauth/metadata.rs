//! The documents by which clients discover the server: `/.well-known/oauth-authorization-server`
//! (RFC 8414) and `/.well-known/oauth-protected-resource` (RFC 9728).

use super::error::OAuthError;
use quarry_domain::accounts::oauth::Scopes;
use quarry_domain::administration::setting::Setting;
use quarry_http::{Error, Reply, RequestContext};
use quarry_store::Read;
use quarry_wire as wire;

/// How clients may authenticate.
const CLIENT_AUTHENTICATION: [&str; 3] = ["client_secret_basic", "client_secret_post", "none"];

/// Returns the metadata of the authorization server.
pub fn authorization_server(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if !db.catalogue().is_on(Setting::RestApiEnabled) {
        return Ok(OAuthError::Disabled.into_reply());
    }
    let issuer = request.base_url();
    let scopes: Vec<&str> = Scopes::all().names().collect();
    Ok(Reply::json(wire::object_without_root(|w| {
        w.field("issuer", &issuer);
        w.field(
            "authorization_endpoint",
            format!("{issuer}/oauth/authorize"),
        );
        w.field("token_endpoint", format!("{issuer}/oauth/token"));
        w.field("revocation_endpoint", format!("{issuer}/oauth/revoke"));
        w.texts("scopes_supported", "scope", &scopes);
        w.texts("response_types_supported", "type", ["code"]);
        w.texts("response_modes_supported", "mode", ["query"]);
        w.texts(
            "grant_types_supported",
            "type",
            ["authorization_code", "refresh_token"],
        );
        w.texts("code_challenge_methods_supported", "method", ["S256"]);
        w.texts(
            "token_endpoint_auth_methods_supported",
            "method",
            CLIENT_AUTHENTICATION,
        );
        w.texts(
            "revocation_endpoint_auth_methods_supported",
            "method",
            CLIENT_AUTHENTICATION,
        );
        w.field("authorization_response_iss_parameter_supported", true);
        w.field("service_documentation", format!("{issuer}/"));
    })))
}

/// Returns the metadata of the REST API as a resource that tokens are for.
pub fn protected_resource(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if !db.catalogue().is_on(Setting::RestApiEnabled) {
        return Ok(OAuthError::Disabled.into_reply());
    }
    let issuer = request.base_url();
    let scopes: Vec<&str> = Scopes::all().names().collect();
    Ok(Reply::json(wire::object_without_root(|w| {
        w.field("resource", &issuer);
        w.texts("authorization_servers", "server", [&issuer]);
        w.texts("scopes_supported", "scope", &scopes);
        w.texts("bearer_methods_supported", "method", ["header"]);
    })))
}
