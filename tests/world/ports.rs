//! Ports for servers that cannot choose one themselves.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// The first port that is given out.
const FIRST: u16 = 12_000;
/// Number of ports: all are below those that systems choose for connections and for port 0, so no
/// other test gets one of them before the server listens.
const COUNT: u16 = 20_000;

static NEXT: AtomicU16 = AtomicU16::new(0);

/// Returns a port at which nobody listens. No port is returned twice.
pub fn free_port() -> u16 {
    let offset = u16::try_from(std::process::id() * 97 % u32::from(COUNT)).unwrap();
    for _ in 0..COUNT {
        let next = NEXT.fetch_add(1, Ordering::Relaxed) % COUNT;
        let port = FIRST + (offset + next) % COUNT;
        if TcpListener::bind(("0.0.0.0", port)).is_ok() {
            return port;
        }
    }
    panic!("no port is free");
}

/// Returns an address at which nobody listens. No address is returned twice.
pub fn free_address() -> String {
    format!("127.0.0.1:{}", free_port())
}
