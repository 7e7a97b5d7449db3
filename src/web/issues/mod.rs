//! Pages of issues: lists, the form for a new one, and an issue with its history and comment box.

mod board;
mod bulk;
mod change;
mod dates;
mod form;
mod issue_pages;
pub mod issue_reference;
pub(crate) mod issue_table;
pub(crate) mod issue_templates;
mod list;
mod new;
pub(crate) mod page_commands;
pub(crate) mod recent_issues;
pub(crate) mod replies;
mod show;
pub(crate) mod time_entries;
mod views;

pub use list::{FilterChoices, FilterNames};
pub use show::related::{IssueLink, links};
pub use views::View;

use crate::prelude::*;
use axum::routing::post;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/issues", get(issue_list_handler(list::list)))
        .route("/issues.atom", get(issue_list_handler(list::atom)))
        .route("/issues.csv", get(issue_list_handler(list::csv)))
        .route("/issues/rank", post(write_handler(list::rank)))
        .route(
            "/issues/new",
            get(read_handler(new::new)).post(write_handler(new::create)),
        )
        .route(
            "/issues/{id}",
            get(read_handler(show::show)).post(write_handler(change::update::update)),
        )
        .route("/issues/{id}/edit", get(read_handler(change::update::edit)))
        .route("/projects/{id}/issues", get(issue_list_handler(list::list)))
        .route(
            "/projects/{id}/issues.atom",
            get(issue_list_handler(list::atom)),
        )
        .route(
            "/projects/{id}/issues.csv",
            get(issue_list_handler(list::csv)),
        )
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
            get(read_handler(show::files::confirm))
                .post(write_handler(show::files::delete).deleting()),
        )
        .route(
            "/issues/{id}/copy",
            get(read_handler(change::copy::new)).post(write_handler(change::copy::create)),
        )
        .route(
            "/issues/{id}/delete",
            get(read_handler(change::delete::confirm))
                .post(write_handler(change::delete::delete).deleting()),
        )
        .route(
            "/issues/{id}/move",
            get(read_handler(change::move_project::show))
                .post(write_handler(change::move_project::save_move)),
        )
        .route(
            "/issues/{id}/relations/new",
            get(read_handler(show::relations::new)).post(write_handler(show::relations::create)),
        )
        .route(
            "/issues/{id}/relations/{relation}/delete",
            post(write_handler(show::relations::delete).deleting()),
        )
        .route(
            "/issues/{id}/subtasks/{subtask}/unlink",
            post(write_handler(show::subtasks::unlink)),
        )
        .route(
            "/issues/{id}/time_entries/new",
            get(read_handler(show::log_time::new)).post(write_handler(show::log_time::create)),
        )
        .route(
            "/issues/{id}/timer",
            post(write_handler(show::log_time::start_timer)),
        )
        .route(
            "/issues/{id}/watchers/new",
            get(read_handler(show::watchers::new)).post(write_handler(show::watchers::create)),
        )
        .route(
            "/issues/{id}/watchers/{user}/delete",
            post(write_handler(show::watchers::delete).deleting()),
        )
        .route(
            "/journals/{id}/delete",
            get(read_handler(show::notes::confirm))
                .post(write_handler(show::notes::delete).deleting()),
        )
        .route(
            "/journals/{id}/privacy",
            post(write_handler(show::notes::update_privacy)),
        )
        .merge(board::routes())
        .merge(dates::calendar::routes())
        .merge(dates::gantt::routes())
        .merge(bulk::routes())
}
