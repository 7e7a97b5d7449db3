//! Answering on a port until somebody says stop.

use axum::Router;
use tokio::net::TcpListener;

/// Answers what comes to the listener. When `stop` is ready, no further connection is taken, and this ends as soon as the
/// requests under way are answered.
pub async fn serve(listener: TcpListener, routes: Router, stop: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
    axum::serve(listener, routes).with_graceful_shutdown(stop).await
}
