//! Pages for administrators: what needs attention (`/admin`), the state of index and service
//! (`/admin/index`).
//!
//! Invariant: everybody else gets a 403, and anonymous is asked to log in.

mod attention;
mod audit;
mod index;
mod latency_chart;
mod projects;
mod start;

use axum::routing::get;
use quarry_http::{Routes, read_handler, write_handler};

/// Returns the routes of these pages.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/admin",
            get(read_handler(start::show).for_administrators()),
        )
        .route(
            "/admin/projects",
            get(read_handler(projects::list).for_administrators()),
        )
        .route(
            "/admin/audit",
            get(read_handler(audit::list).for_administrators()),
        )
        .route(
            "/admin/index",
            get(read_handler(index::show).for_administrators())
                .post(write_handler(index::rebuild).for_administrators()),
        )
}
