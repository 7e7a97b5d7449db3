//! The REST API: one folder per resource, one file per verb. This page is the route table.
//!
//! Paths stand here without their suffix, which `http` takes off before routing. Invariant: an address answers in JSON and XML
//! alike. May import everything above it in the table of rooms; a resource sees of another one only its `view`.

mod issues;
mod projects;
mod search;
mod users;

use crate::http::{Routes, changing, reading, searching};
use axum::routing::get;

/// Every address of the REST API.
pub fn routes() -> Routes {
    Routes::new()
        .route("/issues", get(reading(issues::list)).post(changing(issues::create)))
        .route(
            "/issues/{id}",
            get(reading(issues::show)).put(changing(issues::update)).patch(changing(issues::update)).delete(changing(issues::delete)),
        )
        .route("/projects", get(reading(projects::list)))
        .route("/projects/{id}", get(reading(projects::show)))
        .route("/projects/{id}/issues", get(reading(issues::list)).post(changing(issues::create)))
        .route("/projects/{id}/search", get(searching(search::list)))
        .route("/search", get(searching(search::list)))
        .route("/users/current", get(reading(users::current)))
}
