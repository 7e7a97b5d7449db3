//! `GET /oauth/authorize`: a person is asked whether an application may act for them (RFC 6749, section 4.1.1).

use crate::http::{Error, Wanted, refusal};
use axum::body::Body;
use axum::http::Response;

/// A client that is not registered has no address to which an answer could be sent: the person is told instead, and nothing
/// is redirected (section 4.1.2.1).
pub async fn ask() -> Response<Body> {
    refusal(
        &Error::Unreadable("This application is not registered here; ask whoever sent you for the right address".to_owned()),
        Wanted::Page,
    )
}
