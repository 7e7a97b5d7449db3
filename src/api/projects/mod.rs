//! The resource `/projects` (compatibility 8).

mod change;
mod list;
mod view;

use crate::prelude::*;
use axum::routing::put;
use change::{
    add_bookmark, archive, close, create, delete, remove_bookmark, reopen, unarchive, update,
};
use list::list;
use list::show;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/projects",
            get(read_handler(list)).post(write_handler(create)),
        )
        .route(
            "/projects/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route(
            "/projects/{id}/archive",
            put(write_handler(archive)).post(write_handler(archive)),
        )
        .route(
            "/projects/{id}/unarchive",
            put(write_handler(unarchive)).post(write_handler(unarchive)),
        )
        .route(
            "/projects/{id}/close",
            put(write_handler(close)).post(write_handler(close)),
        )
        .route(
            "/projects/{id}/reopen",
            put(write_handler(reopen)).post(write_handler(reopen)),
        )
        .route(
            "/projects/{id}/bookmark",
            put(write_handler(add_bookmark))
                .patch(write_handler(add_bookmark))
                .delete(write_handler(remove_bookmark)),
        )
}
