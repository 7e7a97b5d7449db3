//! Groups of users, for administrators.
//!
//! Invariants: the form changes only the users that it showed. What takes the second factor off
//! somebody needs the password of the administrator.

mod delete;
mod edit;
mod form;
mod list;

use crate::prelude::*;
use quarry_http::GuardedSecret;

/// Returns the routes of groups.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/groups",
            get(read_handler(list::list).for_administrators()),
        )
        .route(
            "/groups/new",
            get(read_handler(edit::new).for_administrators())
                .post(write_handler(edit::create).for_administrators()),
        )
        .route(
            "/groups/{id}/edit",
            get(read_handler(edit::edit).for_administrators()).post(
                write_handler(edit::update)
                    .guarding(GuardedSecret::OwnPassword)
                    .for_administrators(),
            ),
        )
        .route(
            "/groups/{id}/delete",
            get(read_handler(delete::confirm).for_administrators()).post(
                write_handler(delete::delete)
                    .guarding(GuardedSecret::OwnPassword)
                    .for_administrators()
                    .deleting(),
            ),
        )
}
