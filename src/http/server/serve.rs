//! Accepts connections and serves requests until shutdown, with limits on connections and time.

use super::connections::{Connection, Connections, LocalAddress, PeerAddress};
use super::framing::MAX_HEAD;
use super::open_files;
use super::stream::{ClientStream, TransferLimit};
use axum::Router;
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use quarry_config::{Limit, Limits};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::Layer;
use tower::util::MapRequestLayer;

/// Number of open files reserved for the store and the index.
const RESERVED_FILES: usize = 256;
/// Further reserved files for the readers of each CPU.
const RESERVED_FILES_PER_CPU: usize = 16;
/// Open files per connection: the socket, and the file of a download or upload.
const FILES_PER_CONNECTION: usize = 2;
/// Maximum number of connections that are refused with a response at a time; more are closed
/// without one.
const MAX_REFUSALS: usize = 64;
/// Maximum time for such a response.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(2);
const REFUSAL: &str = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nRetry-After: 5\r\nConnection: close\r\n\
                       Content-Length: 73\r\n\r\n{\"errors\":[\"There are too many connections; try again in a few seconds\"]}";
/// Pause after a failed `accept`, such as when there are no more file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves requests on the listener. When `stop` is ready, no further connection is accepted, and
/// this returns as soon as pending requests are finished. When the future is dropped before, they
/// are aborted.
pub async fn serve(
    listener: TcpListener,
    routes: Router,
    limits: &Limits,
    stop: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    let connections = Connections::new(max_connections(limits));
    let graceful = GracefulShutdown::new();
    let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => match connections.add() {
                Some(connection) => {
                    serve_connection(stream, peer, connection, &routes, limits, &graceful)
                }
                None => refuse(stream, &refusals),
            },
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                tracing::warn!(error = %error, "a connection cannot be accepted; an idle one is closed");
                connections.close_idle();
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    graceful.shutdown().await;
    Ok(())
}

fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    connection: Arc<Connection>,
    routes: &Router,
    limits: &Limits,
    graceful: &GracefulShutdown,
) {
    // Responses are written in one piece, so waiting for more data (Nagle) would only delay them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(error = %error, "a connection was aborted");
    }
    let extension = Arc::clone(&connection);
    let client = PeerAddress(peer.ip());
    let local = stream.local_addr().ok().map(LocalAddress);
    let service = MapRequestLayer::new(move |request: Request<hyper::body::Incoming>| {
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(Arc::clone(&extension));
        request.extensions_mut().insert(client);
        if let Some(local) = local {
            request.extensions_mut().insert(local);
        }
        request
    });
    let service = TowerToHyperService::new(service.layer(routes.clone()));
    let io = TokioIo::new(ClientStream::new(
        stream,
        Arc::clone(&connection),
        TransferLimit::new(limits),
    ));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.duration(Limit::HeaderTimeout))
        .max_buf_size(MAX_HEAD);
    let serving = graceful.watch(builder.serve_connection(io, service));
    tokio::spawn(async move {
        tokio::select! {
            ended = serving => if let Err(error) = ended {
                tracing::debug!(error = %error, "a connection was aborted");
            },
            () = connection.closed() => {}
        }
        connection.remove();
    });
}

/// Responds that there are too many connections, unless too many such responses are pending.
fn refuse(mut stream: TcpStream, refusals: &Arc<Semaphore>) {
    let Ok(permit) = Arc::clone(refusals).try_acquire_owned() else {
        return;
    };
    tokio::spawn(async move {
        let _permit = permit;
        let respond = async {
            stream.write_all(REFUSAL.as_bytes()).await?;
            stream.shutdown().await?;
            // Closing a socket with unread bytes would reset the connection before the client reads
            // the response.
            let mut rest = [0; 1024];
            while stream.read(&mut rest).await? > 0 {}
            io::Result::Ok(())
        };
        let _ = tokio::time::timeout(REFUSAL_TIMEOUT, respond).await;
    });
}

/// Returns the configured maximum of connections, or less if the limit of open files requires it.
fn max_connections(limits: &Limits) -> usize {
    let configured = limits.count(Limit::MaxConnections);
    match open_files::raise_limit() {
        Ok(files) => {
            let reserved = RESERVED_FILES
                + RESERVED_FILES_PER_CPU
                    * std::thread::available_parallelism().map_or(2, usize::from);
            let possible = (files.saturating_sub(reserved) / FILES_PER_CONNECTION)
                .max(files / 8)
                .max(1);
            if possible < configured && configured != usize::MAX {
                tracing::warn!(
                    max_connections = possible,
                    open_files = files,
                    "the system's limit of open files allows fewer connections"
                );
            }
            configured.min(possible)
        }
        Err(error) => {
            tracing::warn!(error = %error, "the limit of open files cannot be read");
            configured
        }
    }
}

/// Whether an error of `accept` concerns a single connection that was aborted before it was
/// accepted.
fn is_connection_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_states_its_length() {
        let (head, body) = REFUSAL.split_once("\r\n\r\n").unwrap();
        assert!(
            head.contains(&format!("Content-Length: {}", body.len())),
            "{}",
            body.len()
        );
    }
}
