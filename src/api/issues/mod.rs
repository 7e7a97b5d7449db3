//! The resource `/issues` (compatibility 6.1 and 6.3), and similar issues.

mod change;
mod history;
mod include;
mod list;
mod similar;
pub mod view;

use crate::prelude::*;
use axum::routing::post;
use change::{create, delete, delete_several, update};
use list::{export, list, show};
use quarry_http::search_handler;
use similar::{similar, similar_to_draft};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/issues",
            get(issue_list_handler(list))
                .post(write_handler(create))
                .delete(write_handler(delete_several)),
        )
        .route("/issues.ndjson", get(issue_list_handler(export)))
        .route(
            "/issues/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route("/issues/similar", post(search_handler(similar_to_draft)))
        .route("/issues/{id}/similar", get(search_handler(similar)))
        .route(
            "/projects/{id}/issues.ndjson",
            get(issue_list_handler(export)),
        )
        .route(
            "/projects/{id}/issues",
            get(issue_list_handler(list)).post(write_handler(create)),
        )
}
