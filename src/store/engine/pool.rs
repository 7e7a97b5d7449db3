//! Connections for reading, lent out and taken back.

use super::{Connection, OpenError};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Read-only connections to one file. Grows to as many as are used at once and keeps at most `keep`.
pub struct Pool {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    keep: usize,
}

impl Pool {
    /// A pool over the file, which must exist; keeps up to `keep` idle connections.
    pub fn new(path: PathBuf, keep: usize) -> Pool {
        Pool { path, idle: Mutex::new(Vec::new()), keep }
    }

    /// Lends a connection to `work`.
    pub fn with<T>(&self, work: impl FnOnce(&Connection) -> T) -> Result<T, OpenError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => Connection::open_reader(&self.path)?,
        };
        let answer = work(&connection);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.keep {
            idle.push(connection);
        }
        Ok(answer)
    }

    /// Closes the idle connections.
    pub fn close(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
