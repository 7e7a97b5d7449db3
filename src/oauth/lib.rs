//! The endpoints of the OAuth 2.0 authorization server that applications call (compatibility 4.1;
//! RFC 6749, 7009, 7662 and 8414).
//!
//! The consent page is in `web::oauth`; the rules are in `domain::accounts::oauth`, the use cases
//! in `actions::oauth`. Invariants: requests are validated in the order of the RFCs, every response
//! is JSON that no cache keeps, and errors reveal nothing about users or other applications. May
//! import: the modules that `api` may import, except `openapi`.

mod client;
mod error;
mod info;
mod metadata;
mod revoke;
mod token;

use axum::routing::{get, post};
use quarry_http::{
    Error, GuardedSecret, Reply, RequestContext, RouteHandler, Routes, pages, read_handler,
    write_handler,
};

/// Returns the endpoints. They ignore the format of the request.
pub fn routes() -> Routes {
    let endpoints = Routes::new()
        .route("/oauth/token", post(client_handler(token::create)))
        .route(
            "/oauth/token/info",
            get(read_handler(info::show).without_user()),
        )
        .route("/oauth/revoke", post(client_handler(revoke::create)))
        .route(
            "/.well-known/oauth-authorization-server",
            get(read_handler(metadata::authorization_server).without_user()),
        )
        .route(
            "/.well-known/oauth-protected-resource",
            get(read_handler(metadata::protected_resource).without_user()),
        );
    pages(endpoints.clone()).merge(endpoints)
}

/// Runs a handler for requests in which an application authenticates itself.
fn client_handler(handler: fn(&RequestContext) -> Result<Reply, Error>) -> RouteHandler {
    write_handler(handler)
        .without_user()
        .guarding(GuardedSecret::ClientSecret)
}
