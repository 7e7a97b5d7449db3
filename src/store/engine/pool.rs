//! A pool of read-only connections.

use super::{Connection, Location, OpenError, StatementError};
use std::cell::Cell;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a read waits for a free connection.
const MAX_WAIT: Duration = Duration::from_secs(5);
/// Time between two messages that there are too few connections.
const WARNING_INTERVAL: Duration = Duration::from_secs(60);

thread_local! {
    /// The number of connections that are lent to this thread.
    static LENT_HERE: Cell<usize> = const { Cell::new(0) };
}

/// Read-only connections to one location. Opens as many as are in use at once, up to the limit of a
/// server, and keeps at most `max_idle` idle ones. A read within another read of the same thread gets
/// a connection beyond the limit: waiting, it would keep what the others wait for.
pub struct Pool {
    location: Location,
    max_idle: usize,
    /// `None`: no limit.
    max_open: Option<usize>,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Connection>,
    /// Connections that are lent.
    lent: usize,
    /// When it was last logged that there are too few connections.
    warned: Option<Instant>,
}

/// A connection from the pool, which goes back when it is dropped.
struct Lent<'p> {
    pool: &'p Pool,
    connection: Option<Connection>,
}

impl Pool {
    /// Creates a pool of connections to the location, which must exist.
    pub fn new(location: Location, max_idle: usize) -> Pool {
        let max_open = match &location {
            Location::File(_) => None,
            Location::Server(server) => Some(server.max_readers()),
        };
        Pool {
            max_idle: max_open.unwrap_or(max_idle),
            max_open,
            location,
            state: Mutex::default(),
            returned: Condvar::new(),
        }
    }

    /// Lends a connection to `work`, after `begin` has begun a read on it. When `begin` finds that
    /// an idle connection is lost, it is called with a new one. Waits until the deadline for a free
    /// connection, or for five seconds.
    pub fn with<B, T>(
        &self,
        deadline: Option<Instant>,
        begin: impl Fn(&Connection) -> Result<B, StatementError>,
        work: impl FnOnce(&Connection, B) -> T,
    ) -> Result<T, StatementError> {
        let mut lent = self.lend(deadline)?;
        let mut begun = match &lent.connection {
            Some(idle) => begin(idle),
            None => begin(lent.open()?),
        };
        // A server that was restarted has closed every idle connection.
        if begun.is_err() && lent.connection.as_ref().is_some_and(Connection::is_lost) {
            self.close();
            begun = begin(lent.open()?);
        }
        match &lent.connection {
            Some(connection) => Ok(work(connection, begun?)),
            None => Err(StatementError::Unavailable("no connection".to_owned())),
        }
    }

    /// Waits until one connection fewer than allowed is lent.
    fn lend(&self, deadline: Option<Instant>) -> Result<Lent<'_>, StatementError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(max_open) = self.max_open
            && LENT_HERE.get() == 0
        {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let max_wait = left.map_or(MAX_WAIT, |left| left.min(MAX_WAIT));
            let waited = self
                .returned
                .wait_timeout_while(state, max_wait, |state| state.lent >= max_open);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.lent >= max_open {
                if max_wait < MAX_WAIT {
                    return Err(StatementError::TimedOut);
                }
                let problem = format!("all {max_open} connections for reading are in use");
                if state
                    .warned
                    .is_none_or(|at| at.elapsed() >= WARNING_INTERVAL)
                {
                    state.warned = Some(Instant::now());
                    tracing::warn!(error = %problem, "reads wait in vain for a connection to the database server");
                }
                return Err(StatementError::Unavailable(problem));
            }
        }
        state.lent += 1;
        LENT_HERE.set(LENT_HERE.get() + 1);
        Ok(Lent {
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

impl Lent<'_> {
    /// Opens a connection in place of the lent one.
    fn open(&mut self) -> Result<&Connection, OpenError> {
        self.connection = None;
        let opened = Connection::open_reader(&self.pool.location)?;
        Ok(self.connection.insert(opened))
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        LENT_HERE.set(LENT_HERE.get().saturating_sub(1));
        let connection = self.connection.take();
        if let Some(connection) = &connection {
            connection.reset();
        }
        let mut state = self
            .pool
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        state.lent -= 1;
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
