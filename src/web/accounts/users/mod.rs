//! Users: the page of a user for everybody, and the administration of users.
//!
//! Invariants: only administrators get the pages that change users. Making somebody an
//! administrator, a new password, the second factor and a deletion need the password of the
//! administrator again.

mod address;
mod confirmations;
mod credentials;
mod edit;
mod list;
mod new;
mod password;
mod permissions;
pub(crate) mod picture;
mod show;
mod user_form;

use crate::prelude::*;
use axum::routing::post;
use quarry_http::{GuardedSecret, RouteHandler};

/// Returns the routes of users.
pub fn routes() -> Routes {
    Routes::new()
        .route("/users", get(read_handler(list::list).for_administrators()))
        .route(
            "/users/new",
            get(read_handler(new::new).for_administrators()).post(guarded_handler(new::create)),
        )
        .route("/users/{id}", get(read_handler(show::show)))
        .route(
            "/users/{id}/edit",
            get(read_handler(edit::edit).for_administrators()).post(guarded_handler(edit::update)),
        )
        .route(
            "/users/{id}/permissions",
            get(read_handler(permissions::show).for_administrators()),
        )
        .route(
            "/users/{id}/status",
            post(write_handler(show::update_status).for_administrators()),
        )
        .route(
            "/users/{id}/picture",
            get(read_handler(picture::show)).post(
                write_handler(picture::update)
                    .with_picture()
                    .for_administrators(),
            ),
        )
        .route(
            "/users/{id}/address",
            post(write_handler(address::update).for_administrators()),
        )
        .route(
            "/users/{id}/password",
            get(read_handler(password::edit).for_administrators())
                .post(guarded_handler(password::update)),
        )
        .route(
            "/users/{id}/two_factor",
            get(read_handler(confirmations::confirm_second_factor_removal).for_administrators())
                .post(guarded_handler(confirmations::remove_second_factor)),
        )
        .route(
            "/users/{id}/sessions",
            get(read_handler(credentials::list_sessions).for_administrators()),
        )
        .route(
            "/users/{id}/sessions/end",
            get(read_handler(credentials::confirm_end).for_administrators())
                .post(write_handler(credentials::end_sessions).for_administrators()),
        )
        .route(
            "/users/{id}/api_key",
            get(read_handler(credentials::confirm_key).for_administrators())
                .post(write_handler(credentials::revoke_key).for_administrators()),
        )
        .route(
            "/users/{id}/delete",
            get(read_handler(confirmations::confirm).for_administrators())
                .post(guarded_handler(confirmations::delete).deleting()),
        )
}

/// Returns a handler for changes by administrators, which may ask for their password.
fn guarded_handler(handler: fn(&RequestContext) -> Result<Reply, Error>) -> RouteHandler {
    write_handler(handler)
        .guarding(GuardedSecret::OwnPassword)
        .for_administrators()
}
