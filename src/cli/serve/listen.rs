//! The address at which the service listens: a TCP port or a Unix socket.

use super::passed_socket;
use super::unix_socket::{self, SocketFile};
use anyhow::Context;
use quarry_config::{Config, UNIX};
use quarry_http as http;
use quarry_store::data_folder::folder_lock::FolderLock;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::Arc;

/// A bound address.
pub enum BoundAddress {
    /// A TCP port.
    Port(TcpListener),
    /// A Unix socket, whose file is removed when the service ends.
    Socket(UnixListener, SocketFile),
}

impl BoundAddress {
    /// Returns the socket that was passed to this process, or else binds the configured address, and
    /// locks the data folder, which is created if it is missing.
    ///
    /// Called before anything is loaded. A port is bound first: if it is in use, nothing is created. A
    /// Unix socket is bound with the lock, so that a service that still runs does not lose it to one that
    /// cannot start.
    pub fn bind(config: &Config) -> anyhow::Result<(BoundAddress, FolderLock)> {
        let lock = || {
            quarry_app::lock_data_folder(&config.data).with_context(|| {
                format!("the data folder {} cannot be opened", config.data.display())
            })
        };
        if let Some(listener) = passed_socket::find()? {
            listener.set_nonblocking(true)?;
            return Ok((BoundAddress::Port(listener), lock()?));
        }
        let Some(path) = config.listen.strip_prefix(UNIX) else {
            let listener = bind_port(&config.listen)?;
            return Ok((BoundAddress::Port(listener), lock()?));
        };
        let lock = lock()?;
        let (listener, file) = unix_socket::bind(Path::new(path), config.socket_mode)?;
        Ok((BoundAddress::Socket(listener, file), lock))
    }

    /// Returns the address as in the configuration, with the actual port if it was 0.
    pub fn address(&self) -> std::io::Result<String> {
        Ok(match self {
            BoundAddress::Port(listener) => listener.local_addr()?.to_string(),
            BoundAddress::Socket(_, file) => format!("{UNIX}{}", file.path().display()),
        })
    }

    /// Whether the service accepts connections to all addresses of the machine.
    pub fn is_unspecified(&self) -> bool {
        match self {
            BoundAddress::Port(listener) => listener
                .local_addr()
                .is_ok_and(|address| address.ip().is_unspecified()),
            BoundAddress::Socket(..) => false,
        }
    }

    /// Registers the listener with the runtime. Returns it, and the socket file to keep while it is in
    /// use.
    pub fn into_listener(
        self,
        tls: Option<Arc<http::Tls>>,
    ) -> std::io::Result<(http::Listener, Option<SocketFile>)> {
        Ok(match self {
            BoundAddress::Port(listener) => {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                let listener = match tls {
                    Some(tls) => http::Listener::Tls(listener, tls),
                    None => http::Listener::Tcp(listener),
                };
                (listener, None)
            }
            BoundAddress::Socket(listener, file) => {
                let listener = tokio::net::UnixListener::from_std(listener)?;
                (http::Listener::Unix(listener), Some(file))
            }
        })
    }
}

/// Binds a TCP port.
pub fn bind_port(listen: &str) -> anyhow::Result<TcpListener> {
    let listener =
        TcpListener::bind(listen).with_context(|| format!("cannot listen on {listen}"))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}
