//! Pages of issues: lists, the form for a new one, and an issue with its history and comment box.

mod board;
mod bulk;
mod calendar;
mod comment_box;
mod conflict;
mod copy;
mod dated_view;
mod delete;
mod edit_field;
mod fields;
mod files;
mod form;
mod gantt;
mod history;
mod issue_pages;
pub mod issue_reference;
pub(crate) mod issue_templates;
mod list;
mod log_time;
mod losses;
mod months;
mod move_project;
mod new;
mod notes;
pub(crate) mod recent_issues;
mod related;
mod relations;
pub(crate) mod replies;
mod show;
mod subtasks;
pub(crate) mod time_entries;
mod update;
mod views;
mod watchers;

pub use list::{FilterChoices, FilterNames};
pub use related::{IssueLink, links};

use crate::prelude::*;
use axum::routing::post;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/issues", get(read_handler(list::list)))
        .route("/issues.atom", get(read_handler(list::atom)))
        .route("/issues.csv", get(read_handler(list::csv)))
        .route(
            "/issues/new",
            get(read_handler(new::new)).post(write_handler(new::create)),
        )
        .route(
            "/issues/{id}",
            get(read_handler(show::show)).post(write_handler(update::update)),
        )
        .route("/issues/{id}/edit", get(read_handler(update::edit)))
        .route("/projects/{id}/issues", get(read_handler(list::list)))
        .route("/projects/{id}/issues.atom", get(read_handler(list::atom)))
        .route("/projects/{id}/issues.csv", get(read_handler(list::csv)))
        .route(
            "/projects/{id}/issues/new",
            get(read_handler(new::new)).post(write_handler(new::create)),
        )
        .route(
            "/projects/{id}/issues/new_address",
            post(write_handler(new::renew)),
        )
        .route(
            "/issues/{id}/attachments/{file}/delete",
            get(read_handler(files::confirm)).post(write_handler(files::delete).deleting()),
        )
        .route(
            "/issues/{id}/copy",
            get(read_handler(copy::new)).post(write_handler(copy::create)),
        )
        .route(
            "/issues/{id}/delete",
            get(read_handler(delete::confirm)).post(write_handler(delete::delete).deleting()),
        )
        .route(
            "/issues/{id}/move",
            get(read_handler(move_project::show)).post(write_handler(move_project::save_move)),
        )
        .route(
            "/issues/{id}/relations/new",
            get(read_handler(relations::new)).post(write_handler(relations::create)),
        )
        .route(
            "/issues/{id}/relations/{relation}/delete",
            post(write_handler(relations::delete).deleting()),
        )
        .route(
            "/issues/{id}/subtasks/{subtask}/unlink",
            post(write_handler(subtasks::unlink)),
        )
        .route(
            "/issues/{id}/time_entries/new",
            get(read_handler(log_time::new)).post(write_handler(log_time::create)),
        )
        .route(
            "/issues/{id}/timer",
            post(write_handler(log_time::start_timer)),
        )
        .route(
            "/issues/{id}/watchers/new",
            get(read_handler(watchers::new)).post(write_handler(watchers::create)),
        )
        .route(
            "/issues/{id}/watchers/{user}/delete",
            post(write_handler(watchers::delete).deleting()),
        )
        .route(
            "/journals/{id}/delete",
            get(read_handler(notes::confirm)).post(write_handler(notes::delete).deleting()),
        )
        .route(
            "/journals/{id}/privacy",
            post(write_handler(notes::update_privacy)),
        )
        .merge(board::routes())
        .merge(calendar::routes())
        .merge(gantt::routes())
        .merge(bulk::routes())
}
