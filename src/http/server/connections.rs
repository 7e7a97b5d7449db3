//! The open connections. When the maximum is reached, the connection that has been idle longest is
//! closed for a new one.

use metrics::gauge;
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// Address of the other end of the connection, an extension of each request.
#[derive(Clone, Copy, Debug)]
pub struct PeerAddress(pub IpAddr);

/// Address of this end of the connection, an extension of each request. Links need it where the
/// service listens on all addresses.
#[derive(Clone, Copy, Debug)]
pub struct LocalAddress(pub SocketAddr);

/// All open connections.
pub struct Connections {
    max: usize,
    /// The label `address` of the connections in the metrics.
    address: &'static str,
    start: Instant,
    open: Mutex<HashMap<u64, Arc<Connection>>>,
    next_id: AtomicU64,
}

/// An open connection.
pub struct Connection {
    id: u64,
    connections: Arc<Connections>,
    /// Time of the last transfer, in milliseconds since [`Connections::start`].
    last_activity: AtomicU64,
    /// Number of requests being processed.
    active_requests: AtomicUsize,
    conflicting_lengths: AtomicBool,
    /// Whether anything was transferred.
    is_used: AtomicBool,
    close: Notify,
}

impl Connections {
    /// Creates an empty set with a maximum size. The metrics name `address` as that to which clients
    /// connect.
    pub fn new(max: usize, address: &'static str) -> Arc<Connections> {
        Arc::new(Connections {
            max,
            address,
            start: Instant::now(),
            open: Mutex::default(),
            next_id: AtomicU64::new(0),
        })
    }

    /// Adds a connection, and closes an idle one if there are too many. Returns `None` when all
    /// others are processing requests.
    pub fn add(self: &Arc<Self>) -> Option<Arc<Connection>> {
        let mut open = self.open();
        if open.len() >= self.max && !close_idle(&mut open) {
            return None;
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let connection = Arc::new(Connection {
            id,
            connections: Arc::clone(self),
            last_activity: AtomicU64::new(self.milliseconds()),
            active_requests: AtomicUsize::new(0),
            conflicting_lengths: AtomicBool::new(false),
            is_used: AtomicBool::new(false),
            close: Notify::new(),
        });
        open.insert(id, Arc::clone(&connection));
        self.set_gauge(open.len());
        Some(connection)
    }

    /// Closes the connection that has been idle longest. Returns `false` when none is idle.
    pub fn close_idle(&self) -> bool {
        close_idle(&mut self.open())
    }

    /// Whether a client has connected whose first request has not arrived yet.
    pub fn expects_first_requests(&self) -> bool {
        let open = self.open();
        open.values()
            .any(|connection| !connection.is_used.load(Ordering::Relaxed))
    }

    fn set_gauge(&self, open: usize) {
        let open = u32::try_from(open).unwrap_or(u32::MAX);
        gauge!("quarry_http_connections", "address" => self.address).set(open);
    }

    fn open(&self) -> MutexGuard<'_, HashMap<u64, Arc<Connection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn milliseconds(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

fn close_idle(open: &mut HashMap<u64, Arc<Connection>>) -> bool {
    let idle = open
        .values()
        .filter(|connection| connection.active_requests.load(Ordering::Relaxed) == 0);
    let Some(longest) = idle.min_by_key(|connection| {
        (
            connection.last_activity.load(Ordering::Relaxed),
            connection.id,
        )
    }) else {
        return false;
    };
    let longest = Arc::clone(longest);
    open.remove(&longest.id);
    longest.close.notify_one();
    true
}

impl Connection {
    /// Records a transfer.
    pub fn touch(&self) {
        self.is_used.store(true, Ordering::Relaxed);
        self.last_activity
            .store(self.connections.milliseconds(), Ordering::Relaxed);
    }

    /// Records that a request states the length of its body in two ways. The connection cannot be
    /// used any longer.
    pub fn set_conflicting_lengths(&self) {
        self.conflicting_lengths.store(true, Ordering::Relaxed);
    }

    /// Whether [`Connection::set_conflicting_lengths`] was called.
    pub fn has_conflicting_lengths(&self) -> bool {
        self.conflicting_lengths.load(Ordering::Relaxed)
    }

    /// Marks the connection as processing a request, so that it is not closed for another one,
    /// until the guard is dropped.
    pub fn start_request(self: &Arc<Self>) -> RequestGuard {
        self.active_requests.fetch_add(1, Ordering::Relaxed);
        RequestGuard(Arc::clone(self))
    }

    /// Waits until the connection must be closed for another one.
    pub async fn closed(&self) {
        self.close.notified().await;
    }

    /// Removes the connection, which has ended.
    pub fn remove(&self) {
        let mut open = self.connections.open();
        open.remove(&self.id);
        self.connections.set_gauge(open.len());
    }
}

/// Marks a request as being processed until it is dropped.
pub struct RequestGuard(Arc<Connection>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.active_requests.fetch_sub(1, Ordering::Relaxed);
        self.0.touch();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn longest_idle_connection_is_closed_for_a_new_one() {
        let connections = Connections::new(2, "service");
        let first = connections.add().unwrap();
        let second = connections.add().unwrap();
        let request = first.start_request();
        let third = connections.add().unwrap();
        second.closed().await;
        let _request = third.start_request();
        assert!(connections.add().is_none(), "both are processing requests");
        drop(request);
        assert!(connections.add().is_some());
        first.closed().await;
        assert!(connections.close_idle());
        assert!(!connections.close_idle());
        third.remove();
        assert!(connections.open().is_empty());
    }
}
