//! From where a request comes.

use std::net::IpAddr;

/// The address of the other end of the connection, in the extensions of a request.
#[derive(Clone, Copy, Debug)]
pub struct PeerAddress(pub IpAddr);
