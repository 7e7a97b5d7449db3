//! Errors with the codes and bodies of RFC 6749 section 5.2 and RFC 6750 section 3.1.

use crate::wire;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// An error of the authorization server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OAuthError {
    /// A parameter is missing or malformed, with the message.
    InvalidRequest(&'static str),
    /// The client is unknown or failed to authenticate.
    InvalidClient,
    /// The grant type is not supported.
    UnsupportedGrantType,
    /// The token is unknown, expired or revoked.
    InvalidToken,
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let (status, error, description) = match self {
            OAuthError::InvalidRequest(message) => (StatusCode::BAD_REQUEST, "invalid_request", message),
            OAuthError::InvalidClient => (StatusCode::UNAUTHORIZED, "invalid_client", "the client is unknown or failed to authenticate"),
            OAuthError::UnsupportedGrantType => {
                (StatusCode::BAD_REQUEST, "unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
            }
            OAuthError::InvalidToken => (StatusCode::UNAUTHORIZED, "invalid_token", "the token is unknown, has expired or was revoked"),
        };
        let body = wire::object_without_root(|w| {
            w.field("error", error);
            w.field("error_description", description);
        });
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let challenge = match self {
            OAuthError::InvalidClient => Some("Basic realm=\"Quarry OAuth\""),
            OAuthError::InvalidToken => Some("Bearer realm=\"Quarry API\", error=\"invalid_token\""),
            OAuthError::InvalidRequest(_) | OAuthError::UnsupportedGrantType => None,
        };
        if let Some(challenge) = challenge {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        response
    }
}
