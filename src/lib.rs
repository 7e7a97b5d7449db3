//! Quarry: a project-management service that is searched first.

pub mod actions;
pub mod api;
pub mod app;
pub mod cli;
pub mod config;
pub mod domain;
pub mod http;
pub mod import;
pub mod jobs;
pub mod markup;
pub mod oauth;
pub mod openapi;
pub mod search;
pub mod store;
pub mod telemetry;
pub mod web;
pub mod wire;

/// Creates the router of the service: the REST API, the OAuth endpoints and the pages.
pub fn server(app: std::sync::Arc<app::App>) -> axum::Router {
    let service = http::service(
        std::sync::Arc::clone(&app),
        api::routes().merge(oauth::routes()).merge(web::routes()),
    );
    web::with_pages(service, app)
}

/// Returns the configuration of property tests, which records failures below `tests/`.
#[cfg(test)]
pub(crate) fn proptest_config() -> proptest::test_runner::Config {
    use proptest::test_runner::{Config, FileFailurePersistence};
    let failures = FileFailurePersistence::SourceParallel("tests/proptest-regressions");
    Config {
        failure_persistence: Some(Box::new(failures)),
        ..Config::default()
    }
}
