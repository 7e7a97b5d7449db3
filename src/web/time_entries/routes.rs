//! The routes of spent time.

use super::{csv, feed, list};
use axum::routing::get;
use quarry_http::{Routes, read_handler};

/// Returns the routes.
pub fn routes() -> Routes {
    let list_routes = |path: &str| {
        Routes::new()
            .route(path, get(read_handler(list::list)))
            .route(&format!("{path}.csv"), get(read_handler(csv::csv)))
            .route(&format!("{path}.atom"), get(read_handler(feed::atom)))
    };
    list_routes("/time_entries").merge(list_routes("/projects/{id}/time_entries"))
}
