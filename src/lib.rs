//! Quarry: a project-management service that is searched first.
//!
//! Each layer below `src` that has a `Cargo.toml` is a crate; this one puts them together.

pub mod cli;
pub mod jobs;
pub mod telemetry;

pub use quarry_actions as actions;
pub use quarry_api as api;
pub use quarry_app as app;
pub use quarry_config as config;
pub use quarry_domain as domain;
pub use quarry_http as http;
pub use quarry_import as import;
pub use quarry_mail as mail;
pub use quarry_mailer as mailer;
pub use quarry_markup as markup;
pub use quarry_net as net;
pub use quarry_oauth as oauth;
pub use quarry_openapi as openapi;
pub use quarry_search as search;
pub use quarry_store as store;
pub use quarry_web as web;
pub use quarry_wire as wire;

use app::App;
use axum::Router;
use std::sync::Arc;

/// Returns the routes of the REST API, the OAuth endpoints and the pages.
pub fn routes() -> http::Routes {
    api::routes().merge(oauth::routes()).merge(web::routes())
}

/// Creates the router of the service.
pub fn server(app: Arc<App>) -> Router {
    let service = http::service(Arc::clone(&app), routes());
    http::normalize_paths(Arc::clone(&app), web::with_pages(service, app))
}
