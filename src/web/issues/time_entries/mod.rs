//! Pages of spent time: lists with their exports, forms, and the report.

use crate::prelude::*;

mod csv;
mod delete;
mod edit;
mod feed;
mod filters;
pub mod form;
mod form_filters;
mod hours_chart;
mod list;
mod new;
mod periods;
mod report;
mod report_names;
mod report_params;
mod report_table;
mod rows;
mod tabs;
pub mod time_entry_pages;
mod week;
mod week_form;
mod week_rows;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/time_entries", get(read_handler(list::list)))
        .route("/time_entries.atom", get(read_handler(feed::atom)))
        .route("/time_entries.csv", get(read_handler(csv::csv)))
        .route("/time_entries/new", get(read_handler(new::choose)))
        .route(
            "/time_entries/week",
            get(read_handler(week::show)).post(write_handler(week::update)),
        )
        .route("/time_entries/report", get(read_handler(report::show)))
        .route("/time_entries/report.csv", get(read_handler(report::csv)))
        .route(
            "/time_entries/{id}/edit",
            get(read_handler(edit::edit)).post(write_handler(edit::update)),
        )
        .route(
            "/time_entries/{id}/delete",
            get(read_handler(delete::confirm)).post(write_handler(delete::delete).deleting()),
        )
        .route("/projects/{id}/time_entries", get(read_handler(list::list)))
        .route(
            "/projects/{id}/time_entries.atom",
            get(read_handler(feed::atom)),
        )
        .route(
            "/projects/{id}/time_entries.csv",
            get(read_handler(csv::csv)),
        )
        .route(
            "/projects/{id}/time_entries/new",
            get(read_handler(new::new)).post(write_handler(new::create)),
        )
        .route(
            "/projects/{id}/time_entries/report",
            get(read_handler(report::show)),
        )
        .route(
            "/projects/{id}/time_entries/report.csv",
            get(read_handler(report::csv)),
        )
}
