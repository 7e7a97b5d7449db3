//! A pool of read-only connections.

use super::{Connection, OpenError};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Read-only connections to one file. Opens as many as are in use at once and keeps at most
/// `max_idle` idle ones.
pub struct Pool {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    max_idle: usize,
}

impl Pool {
    /// Creates a pool of connections to the file, which must exist.
    pub fn new(path: PathBuf, max_idle: usize) -> Pool {
        Pool {
            path,
            idle: Mutex::new(Vec::new()),
            max_idle,
        }
    }

    /// Lends a connection to `work`.
    pub fn with<T>(&self, work: impl FnOnce(&Connection) -> T) -> Result<T, OpenError> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let connection = match idle {
            Some(connection) => connection,
            None => Connection::open_reader(&self.path)?,
        };
        let outcome = work(&connection);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.max_idle {
            idle.push(connection);
        }
        Ok(outcome)
    }

    /// Closes the idle connections.
    pub fn close(&self) {
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }
}
