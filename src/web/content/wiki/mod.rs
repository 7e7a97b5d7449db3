//! Pages of wikis: a page, its versions and their differences, the index, exports, and the forms
//! that write, rename, move, protect and delete pages.

use crate::prelude::*;

pub(crate) mod address;
mod change;
mod conflict;
mod delete;
mod draft;
mod edit;
mod export;
mod form;
mod history;
mod index;
mod missing;
pub(crate) mod page_commands;
mod settings;
mod show;
mod tree;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/projects/{id}/settings/wiki",
            get(read_handler(settings::edit)).post(write_handler(settings::update)),
        )
        .route("/projects/{id}/wiki", get(read_handler(show::show)))
        .route(
            "/projects/{id}/wiki/date_index",
            get(read_handler(index::by_date)),
        )
        .route("/projects/{id}/wiki/index", get(read_handler(index::tree)))
        .route(
            "/projects/{id}/wiki/new",
            get(read_handler(edit::new)).post(write_handler(edit::create)),
        )
        .route("/projects/{id}/wiki/{title}", get(read_handler(show::show)))
        .route(
            "/projects/{id}/wiki/{title}/delete",
            get(read_handler(delete::confirm)).post(write_handler(delete::delete).deleting()),
        )
        .route(
            "/projects/{id}/wiki/{title}/diff",
            get(read_handler(history::diff)),
        )
        .route(
            "/projects/{id}/wiki/{title}/edit",
            get(read_handler(edit::edit)).post(write_handler(edit::update)),
        )
        .route(
            "/projects/{id}/wiki/{title}/export/{format}",
            get(read_handler(export::export)),
        )
        .route(
            "/projects/{id}/wiki/{title}/history",
            get(read_handler(history::history)),
        )
        .route(
            "/projects/{id}/wiki/{title}/protect",
            get(read_handler(change::confirm_protection)).post(write_handler(change::protect)),
        )
        .route(
            "/projects/{id}/wiki/{title}/rename",
            get(read_handler(change::rename_form)).post(write_handler(change::rename)),
        )
        .route(
            "/projects/{id}/wiki/{title}/{version}",
            get(read_handler(show::show)),
        )
}
