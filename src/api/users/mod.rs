//! The resource `/users` (compatibility 11.1).

mod change;
mod list;
pub mod view;

use crate::prelude::*;
use change::{create, delete, update};
use list::list;
use list::{current, show};
use quarry_http::protected_handler;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/users",
            get(read_handler(list).for_administrators())
                .post(protected_handler(create).for_administrators()),
        )
        .route(
            "/users/current",
            get(read_handler(current))
                .put(protected_handler(update).for_administrators())
                .patch(protected_handler(update).for_administrators())
                .delete(protected_handler(delete)),
        )
        .route(
            "/users/{id}",
            get(read_handler(show))
                .put(protected_handler(update).for_administrators())
                .patch(protected_handler(update).for_administrators())
                .delete(protected_handler(delete)),
        )
}
