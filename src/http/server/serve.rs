//! Accepts connections and serves requests until shutdown, with limits on connections and time.

use super::connections::{Connection, Connections, LocalAddress, PeerAddress};
use super::framing::MAX_HEAD;
use super::listener::{Accepted, Listener};
use super::open_files;
use super::stream::ClientStream;
use super::tls::{EncryptedStream, OverTls, Tls, respond_and_drain};
use super::transfer_limit::{LimitedStream, TransferLimit};
use axum::Router;
use axum::extract::Request;
use axum::http::header;
use axum::response::Response;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use metrics::counter;
use quarry_config::{Limit, Limits};
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tower::Layer;
use tower::util::{MapRequestLayer, MapResponseLayer};

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
/// Maximum time at shutdown for the first requests of clients that have connected. Where another process
/// accepts from the same socket next, these clients have no reason to expect a closed connection.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_secs(2);
/// Time between checks for pending first requests.
const FIRST_REQUEST_INTERVAL: Duration = Duration::from_millis(5);

/// Serves requests on the listener, whose connections the metrics name `address`. When `stop` is
/// ready, no further connection is accepted, and this returns as soon as pending requests are
/// finished. When the future is dropped before, they are aborted.
pub async fn serve(
    listener: impl Into<Listener>,
    address: &'static str,
    routes: Router,
    limits: &Limits,
    stop: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    let listener = listener.into();
    let connections = Connections::new(max_connections(limits), address);
    let graceful = GracefulShutdown::new();
    let (stopping, _) = watch::channel(());
    let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok(accepted) => match connections.add() {
                Some(connection) => {
                    let serving = Serving {
                        connection,
                        routes: routes.clone(),
                        header_timeout: limits.duration(Limit::HeaderTimeout),
                        transfer: TransferLimit::new(limits),
                        watcher: graceful.watcher(),
                        stopping: stopping.subscribe(),
                        tls: listener.tls().cloned(),
                    };
                    serving.spawn(accepted);
                }
                None => {
                    counter!("quarry_http_connections_refused_total").increment(1);
                    refuse(accepted, listener.tls().is_some(), &refusals);
                }
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
    let start = Instant::now();
    while connections.expects_first_requests() && start.elapsed() < FIRST_REQUEST_TIMEOUT {
        tokio::time::sleep(FIRST_REQUEST_INTERVAL).await;
    }
    drop(stopping);
    graceful.shutdown().await;
    Ok(())
}

/// Shared parts of the connections of a listener.
struct Serving {
    connection: Arc<Connection>,
    routes: Router,
    header_timeout: Option<Duration>,
    transfer: Option<TransferLimit>,
    watcher: Watcher,
    /// Ends when the service stops.
    stopping: watch::Receiver<()>,
    tls: Option<Arc<Tls>>,
}

impl Serving {
    /// Serves the connection in a task of its own.
    fn spawn(self, accepted: Accepted) {
        let connection = Arc::clone(&self.connection);
        tokio::spawn(async move {
            tokio::select! {
                () = self.serve(accepted) => {}
                () = connection.closed() => {}
            }
            connection.remove();
        });
    }

    async fn serve(mut self, accepted: Accepted) {
        match accepted {
            Accepted::Tcp(stream, peer) => {
                let peer = Some(PeerAddress(peer.ip()));
                let local = stream.local_addr().ok().map(LocalAddress);
                if self.tls.is_none() {
                    let stream = LimitedStream::new(stream, self.transfer);
                    self.serve_http(stream, peer, local).await;
                } else if let Some(stream) = self.shake_hands(stream).await {
                    self.serve_http(stream, peer, local).await;
                }
            }
            // A Unix socket counts as the loopback address.
            #[cfg(unix)]
            Accepted::Unix(stream) => {
                let stream = LimitedStream::new(stream, self.transfer);
                self.serve_http(stream, None, None).await;
            }
        }
    }

    /// Waits for the TLS handshake, at most as long as for the head of a request. Until then the
    /// connection is idle: it may be closed when there are too many.
    async fn shake_hands(&mut self, stream: TcpStream) -> Option<EncryptedStream> {
        let tls = self.tls.as_ref()?;
        let timeout = self.header_timeout.unwrap_or(Duration::MAX);
        tokio::select! {
            accepted = tokio::time::timeout(timeout, tls.accept(stream, self.transfer)) => match accepted {
                Ok(Ok(stream)) => stream,
                Ok(Err(error)) => {
                    tracing::debug!(error = %error, "a TLS handshake failed");
                    None
                }
                Err(_) => {
                    tracing::debug!("a TLS handshake took too long");
                    None
                }
            },
            _ = self.stopping.changed() => None,
        }
    }

    async fn serve_http<S>(self, stream: S, peer: Option<PeerAddress>, local: Option<LocalAddress>)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let connection = Arc::clone(&self.connection);
        let over_tls = self.tls.as_ref().map(|_| OverTls);
        let extend = MapRequestLayer::new(move |request: Request<hyper::body::Incoming>| {
            let mut request = request.map(axum::body::Body::new);
            let extensions = request.extensions_mut();
            extensions.insert(Arc::clone(&connection));
            peer.map(|peer| extensions.insert(peer));
            local.map(|local| extensions.insert(local));
            over_tls.map(|over_tls| extensions.insert(over_tls));
            request
        });
        let hsts = self.tls.map(|tls| tls.hsts.clone());
        let routes = MapResponseLayer::new(move |mut response: Response| {
            if let Some(hsts) = &hsts {
                let headers = response.headers_mut();
                headers.insert(header::STRICT_TRANSPORT_SECURITY, hsts.clone());
            }
            response
        })
        .layer(self.routes);
        let service = TowerToHyperService::new(extend.layer(routes));
        let io = TokioIo::new(ClientStream::new(stream, self.connection));
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(self.header_timeout)
            .max_buf_size(MAX_HEAD);
        let serving = self.watcher.watch(builder.serve_connection(io, service));
        if let Err(error) = serving.await {
            tracing::debug!(error = %error, "a connection was aborted");
        }
    }
}

/// Responds that there are too many connections, unless too many such responses are pending. A
/// connection that would need a TLS handshake is closed at once.
fn refuse(accepted: Accepted, is_encrypted: bool, refusals: &Arc<Semaphore>) {
    let Ok(permit) = Arc::clone(refusals).try_acquire_owned() else {
        return;
    };
    if is_encrypted {
        return;
    }
    tokio::spawn(async move {
        let _permit = permit;
        let respond = async {
            match accepted {
                Accepted::Tcp(mut stream, _) => respond_and_drain(&mut stream, REFUSAL).await,
                #[cfg(unix)]
                Accepted::Unix(mut stream) => respond_and_drain(&mut stream, REFUSAL).await,
            }
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
