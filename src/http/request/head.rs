//! The head of a request: path, query string, client and user. It is checked before the body is
//! read.

use super::authentication::{self, Access, Authentication, authenticate};
use super::client::{Peer, client_address};
use super::cross_site;
use super::format::{PAGES, ResponseFormat};
use super::session::RequestSession;
use super::used_credential::UsedCredential;
use crate::error::Error;
use crate::server::blocking::run_blocking;
use crate::server::state::HttpState;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use quarry_domain::accounts::oauth::Scopes;
use quarry_domain::ids::UserId;
use quarry_wire as wire;
use quarry_wire::Input;
use std::net::IpAddr;
use std::sync::Arc;

/// Maximum length of the query string in bytes. The longest search in Cyrillic letters fits,
/// percent-encoded.
const MAX_QUERY: usize = 56 * 1024;

/// The header for the token of the session, for scripts of our own pages.
pub const CSRF_HEADER: &str = "x-csrf-token";

/// A request without its body.
pub struct RequestHead {
    /// Method, URI and header fields.
    pub parts: Arc<Parts>,
    /// The query string.
    pub query: Arc<Input>,
    /// The parameters of the path, decoded.
    pub path_params: Vec<(String, String)>,
    /// The address of the client.
    pub address: IpAddr,
    /// The session, even if it is incomplete and authenticates nobody.
    pub session: Option<Arc<RequestSession>>,
    /// What authenticated the user.
    pub credential: Arc<UsedCredential>,
    /// The scopes of the access token; `None` if the user authenticated by other means.
    pub scopes: Option<Scopes>,
    /// Whether cookies are for TLS only.
    pub is_secure: bool,
}

/// Parses the head, refuses what another site has sent, and authenticates the user. Fails with 403
/// when an access token is sent to a page that changes something, or that is about the account
/// itself.
pub async fn check(
    state: &HttpState,
    mut parts: Parts,
    format: ResponseFormat,
    authentication: Authentication,
) -> Result<(RequestHead, Option<UserId>), Error> {
    if format == ResponseFormat::Unknown {
        return Err(Error::NotAcceptable);
    }
    cross_site::check(&parts, || run_blocking(|| Ok(state.app.base_url()?)))?;
    let path_params = path_params(&mut parts).await?;
    let query = parse_query(&parts)?;
    let peer = Peer::from_extensions(&parts.extensions);
    let address = client_address(
        &state.app.config.trusted_proxies,
        peer.address,
        &parts.headers,
    );
    let access = Access {
        address,
        peer,
        is_page: authentication::is_page(format, parts.uri.path()),
        authentication,
    };
    let sender = authenticate(state, &query, &parts, access).await?;
    if sender.scopes.is_some() && format == ResponseFormat::Page && !is_open_to_tokens(&parts) {
        return Err(Error::InsufficientScope);
    }
    let session = sender.session.map(Arc::new);
    if let (Some(session), true) = (
        &session,
        format != ResponseFormat::Page && !parts.method.is_safe(),
    ) {
        let token = parts
            .headers
            .get(CSRF_HEADER)
            .and_then(|token| token.to_str().ok())
            .unwrap_or_default();
        if !session.accepts(token) {
            return Err(Error::InvalidCsrfToken);
        }
    }
    let parts = Arc::new(parts);
    let query = Arc::new(query);
    let head = RequestHead {
        parts,
        query,
        path_params,
        address,
        session,
        credential: Arc::new(sender.credential),
        scopes: sender.scopes,
        is_secure: sender.is_secure,
    };
    Ok((head, sender.user))
}

/// Whether a page may be requested with an access token: it is only read, and is not about logins,
/// keys and grants.
fn is_open_to_tokens(parts: &Parts) -> bool {
    let path = parts.uri.path();
    let first = path
        .strip_prefix(PAGES)
        .unwrap_or(path)
        .split('/')
        .nth(1)
        .unwrap_or_default();
    parts.method.is_safe() && !["my", "oauth", "login", "logout", "setup"].contains(&first)
}

async fn path_params(parts: &mut Parts) -> Result<Vec<(String, String)>, Error> {
    let raw = RawPathParams::from_request_parts(parts, &()).await;
    // The only possible error is a path that is not UTF-8 once decoded.
    let raw = raw.map_err(|_| Error::BadRequest("The path is not valid UTF-8".to_owned()))?;
    Ok(raw
        .iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect())
}

fn parse_query(parts: &Parts) -> Result<Input, Error> {
    let text = parts.uri.query().unwrap_or_default();
    if text.len() > MAX_QUERY {
        return Err(Error::BadRequest(format!(
            "The query string is too long; at most {MAX_QUERY} bytes are read"
        )));
    }
    let mut query = wire::from_query(text)?;
    if let (Input::Map(entries), Some(value)) = (&mut query, nometa(&parts.headers)) {
        entries.push(("nometa".to_owned(), Input::Text(value)));
    }
    Ok(query)
}

/// Returns the header that is equivalent to the parameter `nometa` (compatibility 3.3).
fn nometa(headers: &HeaderMap) -> Option<String> {
    let value = headers
        .get("x-service-nometa")
        .or_else(|| headers.get("x-redmine-nometa"))?;
    value.to_str().ok().map(str::to_owned)
}
