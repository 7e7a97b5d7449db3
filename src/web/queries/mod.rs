//! Saved queries on the pages of issue lists: choosing, saving and deleting them (compatibility
//! 13.7). Saved searches have the same forms.

mod address;
mod default;
mod form;
mod kinds;
mod menu;
mod requested;
mod settings;
mod update;

pub use address::{BASED_ON, DEFAULT_STATUS, ListAddress, SAVED_TEXT};
pub use kinds::{KINDS, list_path, path as page_path};
pub use menu::QueryMenu;
pub use requested::{displayed_columns, displayed_totals, order};

use crate::prelude::*;
use axum::routing::post;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/queries/default",
            post(write_handler(default::save_user_default)),
        )
        .route(
            "/projects/{id}/queries/default",
            post(write_handler(default::save_project_default)),
        )
        .route("/projects/{id}/queries", post(write_handler(form::create)))
        .route("/projects/{id}/queries/new", get(read_handler(form::new)))
        .route(
            "/projects/{id}/settings/queries",
            get(read_handler(settings::list)),
        )
        .route("/queries", post(write_handler(form::create)))
        .route("/queries/new", get(read_handler(form::new)))
        .route("/queries/{id}", post(write_handler(update::update)))
        .route(
            "/queries/{id}/edit",
            get(read_handler(form::edit)).post(write_handler(form::save_edit)),
        )
        .route(
            "/queries/{id}/delete",
            get(read_handler(settings::confirm)).post(write_handler(update::delete).deleting()),
        )
}
