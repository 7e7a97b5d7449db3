//! The listener: a TCP port, with or without TLS, or a Unix socket.

use super::tls::Tls;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};

/// A listener that accepts connections.
pub enum Listener {
    /// A TCP port.
    Tcp(TcpListener),
    /// A TCP port whose connections are encrypted.
    Tls(TcpListener, Arc<Tls>),
    /// A Unix socket.
    #[cfg(unix)]
    Unix(UnixListener),
}

/// A new connection.
pub enum Accepted {
    /// From this address.
    Tcp(TcpStream, SocketAddr),
    /// From this machine.
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Listener {
    /// Waits for the next connection.
    pub async fn accept(&self) -> io::Result<Accepted> {
        match self {
            Listener::Tcp(listener) | Listener::Tls(listener, _) => {
                let (stream, peer) = listener.accept().await?;
                // Responses are written in one piece, so waiting for more data (Nagle) would only
                // delay them.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(error = %error, "a connection was aborted");
                }
                Ok(Accepted::Tcp(stream, peer))
            }
            #[cfg(unix)]
            Listener::Unix(listener) => Ok(Accepted::Unix(listener.accept().await?.0)),
        }
    }

    /// Returns how connections are encrypted; `None` if they are not.
    pub fn tls(&self) -> Option<&Arc<Tls>> {
        match self {
            Listener::Tls(_, tls) => Some(tls),
            _ => None,
        }
    }
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Listener {
        Listener::Tcp(listener)
    }
}
