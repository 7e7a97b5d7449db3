//! Answering on a port until somebody says stop.

use super::hearing::Hearers;
use axum::Router;
use axum::serve::Listener;
use tokio::net::TcpListener;

/// At most so many connections have a thread of their own.
const HEARERS: usize = 32;

/// Answers what comes to the listener. When `stop` is ready, no further connection is taken, and this ends as soon as the
/// requests under way are answered; when it is dropped before, they are not.
pub async fn serve(mut listener: TcpListener, routes: Router, stop: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
    let mut hearers = Hearers::new(routes, HEARERS);
    tokio::pin!(stop);
    loop {
        let (connection, _) = tokio::select! {
            () = &mut stop => break,
            connection = Listener::accept(&mut listener) => connection,
        };
        if let Err(error) = hearers.hand(connection) {
            tracing::warn!(error = %error, "a connection could not be heard");
        }
    }
    drop(listener);
    hearers.end().await
}
