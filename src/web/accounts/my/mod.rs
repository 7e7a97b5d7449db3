//! The pages of one's own account: `/my/account`, `/my/address`, `/my/password`, `/my/two_factor`, `/my/sessions`,
//! `/my/api_key`, `/my/picture`, `/my/notifications`, `/my/page`, `/my/timer`.
//!
//! Invariant: what protects the account (mail address, password, second factor) changes only with
//! the password.

mod account;
mod address;
mod arrange;
pub(crate) mod blocks;
mod credentials;
mod notifications;
mod page;
mod picture;
mod timer;
mod two_factor;
mod watched;

use crate::prelude::*;
use axum::routing::post;
use quarry_http::GuardedSecret;

/// Returns the routes of the own account.
pub fn routes() -> Routes {
    Routes::new()
        .route("/my", get(read_handler(page::show)))
        .route("/my/page", get(read_handler(page::show)))
        .route(
            "/my/page/blocks",
            get(read_handler(arrange::show)).post(write_handler(arrange::update)),
        )
        .route(
            "/my/page/blocks/{name}",
            post(write_handler(arrange::update_position)),
        )
        .route(
            "/my/timer",
            get(read_handler(timer::show)).post(write_handler(timer::log)),
        )
        .route(
            "/my/timer/discard",
            get(read_handler(timer::confirm_discard)).post(write_handler(timer::discard)),
        )
        .route(
            "/my/account",
            get(read_handler(account::show))
                .post(write_handler(account::update).guarding(GuardedSecret::OwnPassword)),
        )
        .route(
            "/my/picture",
            post(write_handler(picture::update).with_picture()),
        )
        .route(
            "/my/address",
            get(read_handler(address::show)).post(write_handler(address::confirm)),
        )
        .route("/my/address/link", post(write_handler(address::send_link)))
        .route(
            "/my/notifications",
            get(read_handler(notifications::show)).post(write_handler(notifications::update)),
        )
        .route(
            "/my/api_key",
            post(write_handler(credentials::replace_api_key).guarding(GuardedSecret::OwnPassword)),
        )
        .route(
            "/my/applications",
            post(
                write_handler(credentials::revoke_application).guarding(GuardedSecret::OwnPassword),
            ),
        )
        .route(
            "/my/password",
            get(read_handler(credentials::edit)).post(
                write_handler(credentials::update_password).guarding(GuardedSecret::OwnPassword),
            ),
        )
        .route(
            "/my/two_factor",
            get(read_handler(two_factor::show))
                .post(write_handler(two_factor::update).guarding(GuardedSecret::OwnPassword)),
        )
        .route(
            "/my/two_factor/code",
            post(write_handler(two_factor::confirm).guarding(GuardedSecret::OwnCode)),
        )
        .route(
            "/my/sessions",
            post(write_handler(credentials::end_session).guarding(GuardedSecret::OwnPassword)),
        )
}
