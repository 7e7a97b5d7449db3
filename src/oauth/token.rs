//! `POST /oauth/token`, `GET /oauth/token/info`, `POST /oauth/revoke`.

use super::refusal::Refusal;
use crate::wire::{self, Input};
use axum::body::Bytes;
use axum::http::{HeaderMap, header};

/// Exchanges a code or a refresh token for an access token (RFC 6749, sections 4.1.3 and 6).
pub async fn issue(headers: HeaderMap, body: Bytes) -> Refusal {
    let form = match form(&headers, &body) {
        Ok(form) => form,
        Err(refusal) => return refusal,
    };
    let given = |name: &str| form.get(name).is_some_and(|value| !value.is_blank());
    let grant = form.get("grant_type").and_then(Input::as_text).unwrap_or_default();
    let missing = match &*grant {
        "" => Some("grant_type is missing"),
        "authorization_code" if !given("code") => Some("code is missing"),
        "refresh_token" if !given("refresh_token") => Some("refresh_token is missing"),
        "authorization_code" | "refresh_token" => None,
        _ => return Refusal::UnsupportedGrantType,
    };
    missing.map_or(Refusal::InvalidClient, Refusal::InvalidRequest)
}

/// Says what an access token is good for.
pub async fn info() -> Refusal {
    Refusal::InvalidToken
}

/// Takes a token back (RFC 7009): a client must prove itself first.
pub async fn revoke(headers: HeaderMap, body: Bytes) -> Refusal {
    match form(&headers, &body) {
        Ok(form) if form.get("token").is_none_or(Input::is_blank) => Refusal::InvalidRequest("token is missing"),
        Ok(_) => Refusal::InvalidClient,
        Err(refusal) => refusal,
    }
}

fn form(headers: &HeaderMap, body: &[u8]) -> Result<Input, Refusal> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("application/x-www-form-urlencoded") {
        return Err(Refusal::InvalidRequest("the parameters must be sent as application/x-www-form-urlencoded"));
    }
    wire::from_form(body).map_err(|_| Refusal::InvalidRequest("the form cannot be read"))
}
