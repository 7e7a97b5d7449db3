//! Pages of projects: the tree, the overview of a project, its bookmark, and the form for a new
//! one.

mod activities;
mod chart;
mod fields;
mod list;
mod new;
mod overview;
mod settings;
mod status;

pub use list::{list, update_bookmark};
pub use new::{create, new};
pub use overview::show;

use axum::routing::get;
use quarry_http::{Routes, read_handler, write_handler};

/// Returns the routes of the settings of projects.
pub fn settings_routes() -> Routes {
    Routes::new()
        .route(
            "/projects/{id}/settings",
            get(read_handler(settings::edit)).post(write_handler(settings::update)),
        )
        .route(
            "/projects/{id}/settings/modules",
            get(read_handler(settings::edit_modules)).post(write_handler(settings::update_modules)),
        )
        .route(
            "/projects/{id}/settings/issues",
            get(read_handler(settings::edit_issues)).post(write_handler(settings::update_issues)),
        )
        .route(
            "/projects/{id}/settings/activities",
            get(read_handler(activities::edit)).post(write_handler(activities::update)),
        )
        .route(
            "/projects/{id}/settings/status",
            get(read_handler(status::show)),
        )
        .route(
            "/projects/{id}/close",
            get(read_handler(status::confirm)).post(write_handler(status::update)),
        )
        .route(
            "/projects/{id}/reopen",
            get(read_handler(status::confirm)).post(write_handler(status::update)),
        )
        .route(
            "/projects/{id}/archive",
            get(read_handler(status::confirm)).post(write_handler(status::update)),
        )
        .route(
            "/projects/{id}/unarchive",
            get(read_handler(status::confirm)).post(write_handler(status::update)),
        )
        .route(
            "/projects/{id}/delete",
            get(read_handler(status::confirm)).post(write_handler(status::update).deleting()),
        )
}
