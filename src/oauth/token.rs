//! `POST /oauth/token`, `GET /oauth/token/info`, `POST /oauth/revoke`.

use super::error::OAuthError;
use crate::wire::{self, Input};
use axum::body::Bytes;
use axum::http::{HeaderMap, header};

/// Exchanges a code or a refresh token for an access token (RFC 6749, sections 4.1.3 and 6).
pub async fn issue(headers: HeaderMap, body: Bytes) -> OAuthError {
    let form = match form(&headers, &body) {
        Ok(form) => form,
        Err(error) => return error,
    };
    let has = |name: &str| form.get(name).is_some_and(|value| !value.is_blank());
    let grant = form.get("grant_type").and_then(Input::as_text).unwrap_or_default();
    let missing = match &*grant {
        "" => Some("grant_type is missing"),
        "authorization_code" if !has("code") => Some("code is missing"),
        "refresh_token" if !has("refresh_token") => Some("refresh_token is missing"),
        "authorization_code" | "refresh_token" => None,
        _ => return OAuthError::UnsupportedGrantType,
    };
    missing.map_or(OAuthError::InvalidClient, OAuthError::InvalidRequest)
}

/// Returns the scopes of an access token.
pub async fn introspect() -> OAuthError {
    OAuthError::InvalidToken
}

/// Revokes a token (RFC 7009), after the client is authenticated.
pub async fn revoke(headers: HeaderMap, body: Bytes) -> OAuthError {
    match form(&headers, &body) {
        Ok(form) if form.get("token").is_none_or(Input::is_blank) => OAuthError::InvalidRequest("token is missing"),
        Ok(_) => OAuthError::InvalidClient,
        Err(error) => error,
    }
}

fn form(headers: &HeaderMap, body: &[u8]) -> Result<Input, OAuthError> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !content_type.starts_with("application/x-www-form-urlencoded") {
        return Err(OAuthError::InvalidRequest("the parameters must be sent as application/x-www-form-urlencoded"));
    }
    wire::from_form(body).map_err(|_| OAuthError::InvalidRequest("the form cannot be read"))
}
