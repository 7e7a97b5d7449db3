//! Answers on a port until it is told to stop, within limits on connections and time.

mod connections;
mod framing;
mod stream;

pub use connections::Connection;
pub use stream::TransferLimit;

use super::client::{LocalAddress, PeerAddress};
use super::error::Error;
use super::format::Wanted;
use super::render;
use crate::config::{Limit, Limits};
use crate::wire::Format;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use connections::Connections;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use stream::ClientStream;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::Layer;
use tower::util::MapRequestLayer;

/// The longest head of a request, in bytes: request line and header fields.
pub const MAX_HEAD: usize = 64 * 1024;
/// Open files that are left to the store and the index: some, and those of the readers of each CPU.
const RESERVED_FILES: usize = 256;
const RESERVED_FILES_PER_CPU: usize = 16;
/// Open files of a connection: the socket, and the file that it downloads or uploads.
const FILES_PER_CONNECTION: usize = 2;
/// How many connections are told at once that there are too many; more are closed at once.
const MAX_REFUSALS: usize = 64;
const REFUSAL_TIME: Duration = Duration::from_secs(2);
const REFUSAL: &str = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nRetry-After: 5\r\nConnection: close\r\n\
                       Content-Length: 73\r\n\r\n{\"errors\":[\"There are too many connections; try again in a few seconds\"]}";
/// How long accepting pauses when the system gives no more files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Answers what comes to the listener. When `stop` is ready, no further connection is taken, and this ends as soon as the
/// requests under way are answered; when it is dropped before, they are not.
pub async fn serve(listener: TcpListener, routes: Router, limits: &Limits, stop: impl Future<Output = ()> + Send) -> io::Result<()> {
    let connections = Connections::new(max_connections(limits));
    let (graceful, refusals) = (GracefulShutdown::new(), Arc::new(Semaphore::new(MAX_REFUSALS)));
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => match connections.admit() {
                Some(connection) => answer(stream, peer, connection, &routes, limits, &graceful),
                None => refuse(stream, &refusals),
            },
            Err(error) if is_of_one_connection(&error) => {}
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

fn answer(stream: TcpStream, peer: SocketAddr, connection: Arc<Connection>, routes: &Router, limits: &Limits, graceful: &GracefulShutdown) {
    // Replies are written whole: nothing is gained by waiting for more.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(error = %error, "a connection broke off");
    }
    let (known, client, local) = (Arc::clone(&connection), PeerAddress(peer.ip()), stream.local_addr().ok().map(LocalAddress));
    let service = MapRequestLayer::new(move |request: Request<hyper::body::Incoming>| {
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(Arc::clone(&known));
        request.extensions_mut().insert(client);
        if let Some(local) = local {
            request.extensions_mut().insert(local);
        }
        request
    });
    let service = TowerToHyperService::new(service.layer(routes.clone()));
    let io = TokioIo::new(ClientStream::new(stream, Arc::clone(&connection), TransferLimit::new(limits)));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.duration(Limit::HeaderTimeout)).max_buf_size(MAX_HEAD);
    let serving = graceful.watch(builder.serve_connection(io, service));
    tokio::spawn(async move {
        tokio::select! {
            ended = serving => if let Err(error) = ended {
                tracing::debug!(error = %error, "a connection broke off");
            },
            () = connection.closed() => {}
        }
        connection.remove();
    });
}

/// Refuses a request that states the length of its body in two ways, and ends the connection after one whose body is chunked: where
/// the next request begins is then known to hyper alone.
pub async fn check_lengths(request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<Arc<Connection>>();
    if connection.is_some_and(|connection| connection.has_conflicting_lengths()) {
        let problem = "The request has both Content-Length and Transfer-Encoding; send one of them".to_owned();
        return closing(render::error(&Error::Unreadable(problem), Wanted::Data(Format::Json)));
    }
    let chunked = request.headers().contains_key(header::TRANSFER_ENCODING);
    let response = next.run(request).await;
    if chunked { closing(response) } else { response }
}

fn closing(mut response: Response) -> Response {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Says that there are too many connections, if not too many are being told so already.
fn refuse(mut stream: TcpStream, refusals: &Arc<Semaphore>) {
    let Ok(permit) = Arc::clone(refusals).try_acquire_owned() else { return };
    tokio::spawn(async move {
        let _permit = permit;
        let told = async {
            stream.write_all(REFUSAL.as_bytes()).await?;
            stream.shutdown().await?;
            // Closing a socket with unread bytes would take the answer back.
            let mut rest = [0; 1024];
            while stream.read(&mut rest).await? > 0 {}
            io::Result::Ok(())
        };
        let _ = tokio::time::timeout(REFUSAL_TIME, told).await;
    });
}

/// The configured maximum, as far as open files allow.
fn max_connections(limits: &Limits) -> usize {
    let wanted = limits.count(Limit::MaxConnections);
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(files) => {
            let files = usize::try_from(files).unwrap_or(usize::MAX);
            let reserved = RESERVED_FILES + RESERVED_FILES_PER_CPU * std::thread::available_parallelism().map_or(2, usize::from);
            let possible = (files.saturating_sub(reserved) / FILES_PER_CONNECTION).max(files / 8).max(1);
            if possible < wanted && wanted != usize::MAX {
                tracing::warn!(max_connections = possible, open_files = files, "the system's limit of open files allows fewer connections");
            }
            wanted.min(possible)
        }
        Err(error) => {
            tracing::warn!(error = %error, "the limit of open files is not known");
            wanted
        }
    }
}

/// Whether an error of `accept` is that of a connection which broke off before it was accepted.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_states_its_length() {
        let (head, body) = REFUSAL.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("Content-Length: {}", body.len())), "{}", body.len());
    }
}
