//! Members of a project: the list, and the forms for those who manage them.
//!
//! Invariant: `actions::memberships` decides who may see, add and remove which members and roles.

use crate::prelude::*;

mod address;
mod copy;
mod edit;
mod list;
mod new;
mod roles;

pub use address::members_path;

/// Returns the routes of memberships.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/projects/{id}/settings/members",
            get(read_handler(list::list)),
        )
        .route(
            "/projects/{id}/memberships/new",
            get(read_handler(new::new)).post(write_handler(new::create)),
        )
        .route(
            "/projects/{id}/memberships/copy",
            get(read_handler(copy::new)).post(write_handler(copy::create)),
        )
        .route(
            "/memberships/{id}/edit",
            get(read_handler(edit::edit)).post(write_handler(edit::update)),
        )
        .route(
            "/memberships/{id}/delete",
            get(read_handler(edit::confirm)).post(write_handler(edit::delete).deleting()),
        )
}
