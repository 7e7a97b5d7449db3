//! Boards: the issues of a list as cards, in columns by one field.

mod columns;
mod move_card;
mod show;

pub use show::show;

use axum::routing::get;
use quarry_http::{Routes, read_handler, write_handler};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/issues/board", get(read_handler(show)))
        .route("/projects/{id}/issues/board", get(read_handler(show)))
        .route(
            "/issues/{id}/move_card",
            get(read_handler(move_card::show)).post(write_handler(move_card::save)),
        )
}
