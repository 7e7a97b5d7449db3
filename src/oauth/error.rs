//! Errors with the codes and bodies of RFC 6749 section 5.2 and RFC 6750 section 3.1.

use axum::http::{StatusCode, header};
use quarry_actions::accounts::oauth::TokenError;
use quarry_http::Reply;
use quarry_wire as wire;

/// An error of an endpoint for applications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OAuthError {
    /// A parameter is missing, repeated or malformed, with the message.
    InvalidRequest(&'static str),
    /// The client is unknown or failed to authenticate.
    InvalidClient,
    /// The code or refresh token is not valid for this request.
    InvalidGrant,
    /// The scope is unknown, or more than was granted.
    InvalidScope,
    /// The grant type is not supported.
    UnsupportedGrantType,
    /// There were too many failed attempts; the seconds until the next one is accepted.
    TooManyAttempts(u64),
    /// The access token is unknown, expired or revoked.
    InvalidToken,
    /// The request has no access token.
    MissingToken,
    /// The REST API is disabled.
    Disabled,
}

impl OAuthError {
    /// Returns the response.
    pub fn into_reply(self) -> Reply {
        let (status, error, description) = match self {
            OAuthError::InvalidRequest(message) => {
                (StatusCode::BAD_REQUEST, "invalid_request", message)
            }
            OAuthError::InvalidClient => (
                StatusCode::UNAUTHORIZED,
                "invalid_client",
                "the client is unknown or failed to authenticate",
            ),
            OAuthError::InvalidGrant => (
                StatusCode::BAD_REQUEST,
                "invalid_grant",
                "the code or refresh token is unknown, was used, has expired, or does not fit client, redirect_uri or code_verifier",
            ),
            OAuthError::InvalidScope => (
                StatusCode::BAD_REQUEST,
                "invalid_scope",
                "scope must be part of what the user has allowed",
            ),
            OAuthError::UnsupportedGrantType => (
                StatusCode::BAD_REQUEST,
                "unsupported_grant_type",
                "grant_type must be authorization_code or refresh_token",
            ),
            OAuthError::TooManyAttempts(_) => (
                StatusCode::TOO_MANY_REQUESTS,
                "temporarily_unavailable",
                "there were too many failed attempts; see Retry-After",
            ),
            OAuthError::InvalidToken => (
                StatusCode::UNAUTHORIZED,
                "invalid_token",
                "the access token is unknown, has expired or was revoked",
            ),
            OAuthError::MissingToken => (
                StatusCode::UNAUTHORIZED,
                "invalid_request",
                "send the access token in the header Authorization: Bearer",
            ),
            OAuthError::Disabled => (
                StatusCode::SERVICE_UNAVAILABLE,
                "temporarily_unavailable",
                "the REST API is disabled; an administrator must enable the REST web service",
            ),
        };
        let body = wire::object_without_root(|w| {
            w.field("error", error);
            w.field("error_description", description);
        });
        let reply = Reply::json(body)
            .with_status(status)
            .with_header(header::PRAGMA, "no-cache");
        match self {
            OAuthError::InvalidClient => {
                reply.with_header(header::WWW_AUTHENTICATE, "Basic realm=\"Quarry OAuth\"")
            }
            OAuthError::InvalidToken => reply.with_header(
                header::WWW_AUTHENTICATE,
                "Bearer realm=\"Quarry API\", error=\"invalid_token\"",
            ),
            OAuthError::MissingToken => {
                reply.with_header(header::WWW_AUTHENTICATE, "Bearer realm=\"Quarry API\"")
            }
            OAuthError::TooManyAttempts(seconds) => {
                reply.with_header(header::RETRY_AFTER, seconds.to_string())
            }
            _ => reply,
        }
    }
}

impl From<TokenError> for OAuthError {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::InvalidClient => OAuthError::InvalidClient,
            TokenError::InvalidGrant => OAuthError::InvalidGrant,
            TokenError::InvalidScope => OAuthError::InvalidScope,
        }
    }
}
