//! The OAuth 2.0 authorization server (compatibility 4; RFC 6749, RFC 7009).
//!
//! No application can be registered yet: every client and every token is unknown. Requests are validated in the order of the RFCs, and
//! responses have the bodies of the RFCs.
//! Invariant: nothing is redirected to an unregistered URI, and responses reveal nothing about users.
//! May import: everything above `api` in the table of modules.

mod authorize;
mod error;
mod token;

use crate::http::{Routes, pages};
use axum::routing::{get, post};

/// Returns the endpoints. They ignore the format of the request: the RFCs define JSON or a page.
pub fn routes() -> Routes {
    let endpoints = Routes::new()
        .route("/oauth/authorize", get(authorize::authorize))
        .route("/oauth/token", post(token::issue))
        .route("/oauth/token/info", get(token::introspect))
        .route("/oauth/revoke", post(token::revoke));
    pages(endpoints.clone()).merge(endpoints)
}
