//! A pool of read-only connections.

use super::{Connection, DatabaseLocation, OpenError, StatementError};
use std::cell::Cell;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum time that a read waits for a free connection.
const MAX_WAIT: Duration = Duration::from_secs(5);
/// Time between two log events about too few connections.
const WARNING_INTERVAL: Duration = Duration::from_secs(60);

thread_local! {
    /// Number of pooled connections that this thread uses.
    static USED_BY_THREAD: Cell<usize> = const { Cell::new(0) };
}

/// Read-only connections to one location. Opens as many as are in use at once, up to the limit of a
/// server, and keeps at most `max_idle` idle ones. A read within another read of the same thread
/// gets a connection beyond the limit: if it waited, it could wait for its own thread (a deadlock).
pub struct Pool {
    location: DatabaseLocation,
    max_idle: usize,
    /// `None`: no limit.
    max_open: Option<usize>,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Connection>,
    /// Number of connections in use.
    used: usize,
    /// When it was last logged that there are too few connections.
    last_warning: Option<Instant>,
}

/// A connection from the pool, which is returned when this is dropped.
struct PooledConnection<'p> {
    pool: &'p Pool,
    connection: Option<Connection>,
}

impl Pool {
    /// Creates a pool of connections to the location, which must exist.
    pub fn new(location: DatabaseLocation, max_idle: usize) -> Pool {
        let max_open = match &location {
            DatabaseLocation::File(_) | DatabaseLocation::AtRest(_) => None,
            DatabaseLocation::Server(server) => Some(server.max_readers()),
        };
        Pool {
            max_idle: max_open.unwrap_or(max_idle),
            max_open,
            location,
            state: Mutex::default(),
            returned: Condvar::new(),
        }
    }

    /// Calls `begin` with a connection, to begin a read, and then `work`. When an idle connection
    /// turns out to be lost, `begin` is called again with a new one. Waits for a free connection
    /// until the deadline, at most five seconds.
    pub fn with<B, T>(
        &self,
        deadline: Option<Instant>,
        begin: impl Fn(&Connection) -> Result<B, StatementError>,
        work: impl FnOnce(&Connection, B) -> T,
    ) -> Result<T, StatementError> {
        let mut pooled = self.acquire(deadline)?;
        let mut begun = match &pooled.connection {
            Some(idle) => begin(idle),
            None => begin(pooled.open()?),
        };
        // A server that was restarted has closed every idle connection. One that has not answered until the
        // deadline is not given more time.
        let has_time = deadline.is_none_or(|deadline| Instant::now() < deadline);
        if begun.is_err() && has_time && pooled.connection.as_ref().is_some_and(Connection::is_lost)
        {
            self.close();
            begun = begin(pooled.open()?);
        }
        match &pooled.connection {
            Some(connection) => Ok(work(connection, begun?)),
            None => Err(StatementError::Unavailable("no connection".to_owned())),
        }
    }

    /// Takes an idle connection, or a slot for a new one; waits until there is one.
    fn acquire(&self, deadline: Option<Instant>) -> Result<PooledConnection<'_>, StatementError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(max_open) = self.max_open
            && USED_BY_THREAD.get() == 0
        {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let max_wait = left.map_or(MAX_WAIT, |left| left.min(MAX_WAIT));
            let waited = self
                .returned
                .wait_timeout_while(state, max_wait, |state| state.used >= max_open);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.used >= max_open {
                if max_wait < MAX_WAIT {
                    return Err(StatementError::TimedOut);
                }
                let problem = format!("all {max_open} connections for reading are in use");
                if state
                    .last_warning
                    .is_none_or(|at| at.elapsed() >= WARNING_INTERVAL)
                {
                    state.last_warning = Some(Instant::now());
                    tracing::warn!(error = %problem, "reads fail because no connection to the database server is free; raise store_connections");
                }
                return Err(StatementError::Unavailable(problem));
            }
        }
        state.used += 1;
        USED_BY_THREAD.set(USED_BY_THREAD.get() + 1);
        Ok(PooledConnection {
            pool: self,
            connection: state.idle.pop(),
        })
    }

    /// Closes the idle connections.
    pub fn close(&self) {
        let idle = std::mem::take(
            &mut self
                .state
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .idle,
        );
        drop(idle);
    }
}

impl PooledConnection<'_> {
    /// Opens a connection in place of the current one.
    fn open(&mut self) -> Result<&Connection, OpenError> {
        self.connection = None;
        let opened = Connection::open_reader(&self.pool.location)?;
        Ok(self.connection.insert(opened))
    }
}

impl Drop for PooledConnection<'_> {
    fn drop(&mut self) {
        USED_BY_THREAD.set(USED_BY_THREAD.get().saturating_sub(1));
        let connection = self.connection.take();
        if let Some(connection) = &connection {
            connection.reset();
        }
        let mut state = self
            .pool
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        state.used -= 1;
        if let Some(connection) = connection
            && state.idle.len() < self.pool.max_idle
            && !connection.is_lost()
        {
            state.idle.push(connection);
        }
        drop(state);
        self.pool.returned.notify_one();
    }
}
