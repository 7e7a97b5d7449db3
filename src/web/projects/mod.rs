//! Pages of projects: the tree, the overview of a project, its bookmark, and the form for a new
//! one.

mod activities;
pub(crate) mod categories;
pub(crate) mod changesets;
mod chart;
mod fields;
mod list;
mod new;
mod overview;
pub(crate) mod repositories;
mod settings;
mod status;
pub(crate) mod versions;

use crate::prelude::*;
use axum::routing::post;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/projects", get(read_handler(list::list)))
        .route(
            "/projects/new",
            get(read_handler(new::new)).post(write_handler(new::create)),
        )
        .route("/projects/{id}", get(read_handler(overview::show)))
        .route(
            "/projects/{id}/bookmark",
            post(write_handler(list::update_bookmark)),
        )
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
