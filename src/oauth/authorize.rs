//! `GET /oauth/authorize`: the page where a user grants access to an application (RFC 6749, section 4.1.1).

use crate::http::{Error, ResponseFormat, error_response};
use axum::body::Body;
use axum::http::Response;

/// Responds with an error page. An unregistered client has no valid redirect URI, so nothing is redirected (section 4.1.2.1).
pub async fn authorize() -> Response<Body> {
    error_response(
        &Error::BadRequest("This application is not registered here; ask its provider for the correct URL".to_owned()),
        ResponseFormat::Page,
    )
}
