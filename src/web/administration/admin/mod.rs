//! Pages for administrators: what needs attention (`/admin`), the state of index and service
//! (`/admin/index`), mail (`/admin/mail`), the audit log (`/admin/audit`).
//!
//! Invariant: everybody else gets a 403, and anonymous is asked to log in.

mod attention;
mod audit;
mod backups;
mod index;
mod latency_chart;
mod mail;
mod projects;
mod start;

use crate::prelude::*;
use axum::routing::post;

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
            "/admin/audit/export",
            get(write_handler(audit::export).for_administrators()),
        )
        .route(
            "/admin/audit/{id}",
            get(read_handler(audit::show).for_administrators()),
        )
        .route(
            "/admin/mail",
            get(read_handler(mail::show).for_administrators())
                .post(write_handler(mail::send_test).for_administrators()),
        )
        .route(
            "/admin/mail/failed/delete",
            get(read_handler(mail::confirm_deletion).for_administrators()),
        )
        .route(
            "/admin/mail/failed",
            post(
                write_handler(mail::update_failed)
                    .for_administrators()
                    .deleting(),
            ),
        )
        .route(
            "/admin/index",
            get(read_handler(index::show).for_administrators())
                .post(write_handler(index::rebuild).for_administrators()),
        )
}
