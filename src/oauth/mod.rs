//! The OAuth 2.0 authorization server (spec, "OAuth 2.0 endpoints"; RFC 6749, RFC 7009).
//!
//! No application can be registered yet: every client is unknown, and every token is one that was never issued. Requests are
//! judged in the order of the RFCs and answered in their bodies. Invariant: nothing is redirected to an address that was not
//! registered, and nothing is said about users.
//! May import everything above `api` in the table of rooms.

mod authorize;
mod refusal;
mod token;

use crate::http::{Routes, pages};
use axum::routing::{get, post};

/// The endpoints, whatever format is asked for: their bodies are JSON or a page by the RFCs.
pub fn routes() -> Routes {
    let endpoints = Routes::new()
        .route("/oauth/authorize", get(authorize::ask))
        .route("/oauth/token", post(token::issue))
        .route("/oauth/token/info", get(token::info))
        .route("/oauth/revoke", post(token::revoke));
    pages(endpoints.clone()).merge(endpoints)
}
