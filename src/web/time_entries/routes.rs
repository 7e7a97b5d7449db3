//! The routes of spent time.

use super::{csv, delete, edit, feed, list, new, report};
use axum::routing::get;
use quarry_http::{Routes, read_handler, write_handler};

/// Returns the routes.
pub fn routes() -> Routes {
    let list_routes = |path: &str| {
        Routes::new()
            .route(path, get(read_handler(list::list)))
            .route(&format!("{path}.csv"), get(read_handler(csv::csv)))
            .route(&format!("{path}.atom"), get(read_handler(feed::atom)))
            .route(&format!("{path}/report"), get(read_handler(report::show)))
            .route(
                &format!("{path}/report.csv"),
                get(read_handler(report::csv)),
            )
    };
    list_routes("/time_entries")
        .merge(list_routes("/projects/{id}/time_entries"))
        .route("/time_entries/new", get(read_handler(new::choose)))
        .route(
            "/projects/{id}/time_entries/new",
            get(read_handler(new::new)).post(write_handler(new::create)),
        )
        .route(
            "/time_entries/{id}/edit",
            get(read_handler(edit::edit)).post(write_handler(edit::update)),
        )
        .route(
            "/time_entries/{id}/delete",
            get(read_handler(delete::confirm)).post(write_handler(delete::delete).deleting()),
        )
}
