//! Forums: the boards of a project with their topics, the forms of messages, and the settings that
//! manage the boards.

use crate::prelude::*;

mod edit;
mod list;
mod settings;
mod show;

/// Returns the routes.
pub fn routes() -> Routes {
    settings::routes()
        .route("/boards/{id}", get(read_handler(list::topics)))
        .route("/boards/{board}/topics/{id}", get(read_handler(show::show)))
        .route("/projects/{id}/boards", get(read_handler(list::list)))
        .merge(edit::routes())
}
