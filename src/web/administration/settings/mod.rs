//! `/settings`: the settings of the service, in tabs (`/settings?tab=api`).
//!
//! Invariant: a tab is saved as a whole or not at all. What decides who gets in (the tabs
//! Authentication and API) changes only with the password of the administrator.

mod controls;
mod edit;
mod labels;
mod search;
mod tabs;
mod units;

pub use controls::module_label;

use crate::prelude::*;
use quarry_http::GuardedSecret;

/// The routes of the settings.
pub fn routes() -> Routes {
    Routes::new().route(
        "/settings",
        get(read_handler(edit::show).for_administrators()).post(
            write_handler(edit::update)
                .guarding(GuardedSecret::OwnPassword)
                .for_administrators(),
        ),
    )
}
