//! What is answered when something is not granted: the codes and bodies of RFC 6749 section 5.2 and RFC 6750 section 3.1.

use crate::wire;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Why something is not granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A parameter is missing or cannot be read.
    InvalidRequest(&'static str),
    /// The client is unknown, or did not prove itself.
    InvalidClient,
    /// A kind of grant that is not served.
    UnsupportedGrantType,
    /// The token was never issued, has expired or was revoked.
    InvalidToken,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, error, description) = match self {
            Refusal::InvalidRequest(problem) => (StatusCode::BAD_REQUEST, "invalid_request", problem),
            Refusal::InvalidClient => (StatusCode::UNAUTHORIZED, "invalid_client", "the client is unknown or did not prove itself"),
            Refusal::UnsupportedGrantType => {
                (StatusCode::BAD_REQUEST, "unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
            }
            Refusal::InvalidToken => (StatusCode::UNAUTHORIZED, "invalid_token", "the token is unknown, has expired or was revoked"),
        };
        let body = wire::plain(|w| {
            w.field("error", error);
            w.field("error_description", description);
        });
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let challenge = match self {
            Refusal::InvalidClient => Some("Basic realm=\"Quarry OAuth\""),
            Refusal::InvalidToken => Some("Bearer realm=\"Quarry API\", error=\"invalid_token\""),
            Refusal::InvalidRequest(_) | Refusal::UnsupportedGrantType => None,
        };
        if let Some(challenge) = challenge {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        response
    }
}
