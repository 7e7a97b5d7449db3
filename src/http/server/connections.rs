//! The open connections: at most so many. For a new one, the one that has been idle for longest is closed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// All open connections.
pub struct Connections {
    max: usize,
    start: Instant,
    open: Mutex<HashMap<u64, Arc<Connection>>>,
    next_id: AtomicU64,
}

/// One of them.
pub struct Connection {
    id: u64,
    connections: Arc<Connections>,
    /// When bytes moved last, in milliseconds since [`Connections::start`].
    touched: AtomicU64,
    /// How many of its requests are being worked on.
    working: AtomicUsize,
    conflicting_lengths: AtomicBool,
    close: Notify,
}

impl Connections {
    /// At most so many.
    pub fn new(max: usize) -> Arc<Connections> {
        Arc::new(Connections { max, start: Instant::now(), open: Mutex::default(), next_id: AtomicU64::new(0) })
    }

    /// Admits a connection, and closes another one for it if there are too many; `None` when requests of all others are being worked on.
    pub fn admit(self: &Arc<Self>) -> Option<Arc<Connection>> {
        let mut open = self.open();
        if open.len() >= self.max && !close_idle(&mut open) {
            return None;
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let connection = Arc::new(Connection {
            id,
            connections: Arc::clone(self),
            touched: AtomicU64::new(self.milliseconds()),
            working: AtomicUsize::new(0),
            conflicting_lengths: AtomicBool::new(false),
            close: Notify::new(),
        });
        open.insert(id, Arc::clone(&connection));
        Some(connection)
    }

    /// Closes the connection that has been idle for longest; `false` when there is none.
    pub fn close_idle(&self) -> bool {
        close_idle(&mut self.open())
    }

    fn open(&self) -> MutexGuard<'_, HashMap<u64, Arc<Connection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn milliseconds(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

fn close_idle(open: &mut HashMap<u64, Arc<Connection>>) -> bool {
    let idle = open.values().filter(|connection| connection.working.load(Ordering::Relaxed) == 0);
    let Some(longest) = idle.min_by_key(|connection| (connection.touched.load(Ordering::Relaxed), connection.id)) else { return false };
    let longest = Arc::clone(longest);
    open.remove(&longest.id);
    longest.close.notify_one();
    true
}

impl Connection {
    /// Notes that bytes have moved.
    pub fn touch(&self) {
        self.touched.store(self.connections.milliseconds(), Ordering::Relaxed);
    }

    /// Notes that a request states the length of its body in two ways; the connection cannot be used any more.
    pub fn set_conflicting_lengths(&self) {
        self.conflicting_lengths.store(true, Ordering::Relaxed);
    }

    /// Whether [`Connection::set_conflicting_lengths`] was called.
    pub fn has_conflicting_lengths(&self) -> bool {
        self.conflicting_lengths.load(Ordering::Relaxed)
    }

    /// The connection is not closed for others until the guard is dropped.
    pub fn work(self: &Arc<Self>) -> WorkGuard {
        self.working.fetch_add(1, Ordering::Relaxed);
        WorkGuard(Arc::clone(self))
    }

    /// Waits until the connection is to be closed for another one.
    pub async fn closed(&self) {
        self.close.notified().await;
    }

    /// Removes the connection, which has ended.
    pub fn remove(&self) {
        self.connections.open().remove(&self.id);
    }
}

/// A request is being worked on.
pub struct WorkGuard(Arc<Connection>);

impl Drop for WorkGuard {
    fn drop(&mut self) {
        self.0.working.fetch_sub(1, Ordering::Relaxed);
        self.0.touch();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn longest_idle_connection_is_closed_for_a_new_one() {
        let connections = Connections::new(2);
        let (first, second) = (connections.admit().unwrap(), connections.admit().unwrap());
        let working = first.work();
        let third = connections.admit().unwrap();
        second.closed().await;
        let _other = third.work();
        assert!(connections.admit().is_none(), "both are being worked for");
        drop(working);
        assert!(connections.admit().is_some());
        first.closed().await;
        assert!(connections.close_idle());
        assert!(!connections.close_idle());
        third.remove();
        assert!(connections.open().is_empty());
    }
}
