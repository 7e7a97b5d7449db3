//! The pages of one's own account: `/my/account`, `/my/password`, `/my/two_factor`, `/my/sessions`,
//! `/my/api_key`, `/my/page`.
//!
//! Invariant: what protects the account (mail address, password, second factor) changes only with
//! the password.

mod account;
mod credentials;
mod page;
mod two_factor;
mod watched;

use crate::http::{
    Error, GuardedSecret, Reply, RequestContext, RouteHandler, Routes, read_handler, write_handler,
};
use axum::routing::{get, post};

/// Returns the routes of the own account.
pub fn routes() -> Routes {
    let write = |handler: fn(&RequestContext) -> Result<Reply, Error>| -> RouteHandler {
        write_handler(handler).guarding(GuardedSecret::OwnPassword)
    };
    Routes::new()
        .route("/my", get(read_handler(page::show)))
        .route("/my/page", get(read_handler(page::show)))
        .route(
            "/my/account",
            get(read_handler(account::show)).post(write(account::update)),
        )
        .route("/my/api_key", post(write(credentials::replace_api_key)))
        .route(
            "/my/applications",
            post(write(credentials::revoke_application)),
        )
        .route(
            "/my/password",
            get(read_handler(credentials::edit)).post(write(credentials::update_password)),
        )
        .route(
            "/my/two_factor",
            get(read_handler(two_factor::show)).post(write(two_factor::update)),
        )
        .route(
            "/my/two_factor/code",
            post(write_handler(two_factor::confirm).guarding(GuardedSecret::OwnCode)),
        )
        .route("/my/sessions", post(write(credentials::end_session)))
}
