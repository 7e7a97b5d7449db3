//! Stand-in.
#![allow(missing_docs)]
mod serve;
pub use serve::serve;
pub fn server(app: std::sync::Arc<crate::app::App>) -> axum::Router {
    let slow = || async {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        "slow"
    };
    axum::Router::new().route("/healthz", axum::routing::get(|| async { "alive" })).route("/slow", axum::routing::get(slow)).layer(
        axum::extract::DefaultBodyLimit::max(app.config.body_limit),
    )
}
