//! `GET /oauth/token/info`: what the access token of the request allows, and until when.

use super::error::OAuthError;
use axum::http::header;
use quarry_actions::accounts::oauth;
use quarry_domain::administration::setting::Setting;
use quarry_http::{Error, Reply, RequestContext, log_wrong_token};
use quarry_store::Read;
use quarry_wire as wire;

/// Returns user, scopes, remaining seconds and application of the token: the fields of Doorkeeper,
/// and those of RFC 7662.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if !db.catalogue().is_on(Setting::RestApiEnabled) {
        return Ok(OAuthError::Disabled.into_reply());
    }
    let header = request
        .header("authorization")
        .and_then(|value| value.split_once(' '));
    let Some((_, text)) = header.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) else {
        return Ok(OAuthError::MissingToken.into_reply());
    };
    let Some(token) = oauth::authenticate(db, text.trim())? else {
        log_wrong_token(
            &request.app,
            oauth::is_issued(db, text.trim())?,
            request.address(),
        );
        return Ok(OAuthError::InvalidToken.into_reply());
    };
    let login = db
        .catalogue()
        .users
        .get(&token.user)
        .map(|user| user.login.clone())
        .unwrap_or_default();
    let scopes: Vec<&str> = token.scopes.names().collect();
    let body = wire::object_without_root(|w| {
        w.field("resource_owner_id", token.user.0);
        w.texts("scope", "scope", &scopes);
        w.field(
            "expires_in",
            token.expires_on.duration_since(db.now()).as_secs(),
        );
        w.nested("application", |w| w.field("uid", &token.client_id));
        w.field("created_at", token.created_on.as_second());
        w.field("active", true);
        w.field("client_id", &token.client_id);
        w.field("username", &login);
        w.field("token_type", "Bearer");
        w.field("exp", token.expires_on.as_second());
        w.field("iat", token.created_on.as_second());
    });
    Ok(Reply::json(body).with_header(header::PRAGMA, "no-cache"))
}
