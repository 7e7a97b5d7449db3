//! Wiki pages (compatibility 7).

mod address;
mod change;
mod list;
mod view;

use crate::prelude::*;
use axum::routing::put;
use change::{delete, delete_version, protect, rename, update};
use list::list;
use list::{diff, history, show};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/projects/{id}/wiki", get(read_handler(show)))
        .route(
            "/projects/{id}/wiki/index",
            get(read_handler(list))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route(
            "/projects/{id}/wiki/{title}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route("/projects/{id}/wiki/{title}/diff", get(read_handler(diff)))
        .route(
            "/projects/{id}/wiki/{title}/history",
            get(read_handler(history)),
        )
        .route(
            "/projects/{id}/wiki/{title}/protect",
            put(write_handler(protect)).patch(write_handler(protect)),
        )
        .route(
            "/projects/{id}/wiki/{title}/rename",
            put(write_handler(rename)).patch(write_handler(rename)),
        )
        .route(
            "/projects/{id}/wiki/{title}/{version}",
            get(read_handler(show)).delete(write_handler(delete_version)),
        )
}
