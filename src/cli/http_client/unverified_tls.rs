//! TLS without verification, only for health checks of the service on this machine. Nothing secret is
//! sent, and the certificate is for another name or not issued yet. `quarry healthcheck` compares it with
//! the file that it was configured from.

use quarry_net::tls;
use rustls::ClientConnection;
use rustls::pki_types::ServerName;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

/// Returns the client side of a connection to this address, which accepts every certificate.
pub fn client(address: IpAddr) -> io::Result<ClientConnection> {
    let config = tls::unverified().map_err(io::Error::other)?;
    let name = ServerName::IpAddress(address.into());
    ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)
}
