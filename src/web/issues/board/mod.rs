//! Boards: the issues of a list as cards, in columns by one field and, optionally,
//! in lanes by another.

use crate::prelude::*;

mod add_card;
mod cards;
mod columns;
mod folding;
mod lanes;
mod limits;
mod move_card;
mod show;

pub use show::show;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/issues/board", get(issue_list_handler(show)))
        .route("/projects/{id}/issues/board", get(issue_list_handler(show)))
        .route(
            "/projects/{id}/issues/board/limits",
            get(read_handler(limits::edit)).post(write_handler(limits::update)),
        )
        .route(
            "/issues/{id}/move_card",
            get(read_handler(move_card::show)).post(write_handler(move_card::save)),
        )
}
