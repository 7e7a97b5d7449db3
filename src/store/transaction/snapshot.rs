//! Statements that read rows of one snapshot or transaction. Does not know the catalogue, so that
//! the loading of the catalogue can use it.

use crate::StoreError;
use crate::engine::{Connection, FromColumn, Row, StatementError, Table, Value, VisitRow};
use jiff::Timestamp;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How often a request with a deadline checks whether a mutex is free.
const LOCK_CHECK: Duration = Duration::from_millis(1);

/// A connection within a read or write transaction: all rows that are read through it belong to one
/// state of the records.
pub struct Snapshot<'c> {
    connection: &'c Connection,
    /// The last change of the snapshot; `None` within a transaction that writes, which may have
    /// recorded more.
    last_change: Option<i64>,
}

impl<'c> Snapshot<'c> {
    pub(crate) fn new(connection: &'c Connection, last_change: Option<i64>) -> Snapshot<'c> {
        Snapshot {
            connection,
            last_change,
        }
    }

    /// Whether everything that is read is committed.
    pub(crate) fn is_committed(&self) -> bool {
        self.last_change.is_some()
    }

    /// Returns the last change of a snapshot; `None` within a transaction that writes, which may
    /// have recorded more.
    pub(crate) fn last_change(&self) -> Option<i64> {
        self.last_change
    }

    /// Runs `work` without the deadline of this request, to fill a cache of all requests: stopped
    /// midway, its rows would be lost.
    pub(crate) fn without_deadline<T>(&self, work: impl FnOnce() -> T) -> T {
        let deadline = self.connection.deadline();
        self.connection.set_deadline(None);
        let outcome = work();
        self.connection.set_deadline(deadline);
        outcome
    }

    /// Locks a mutex. Fails with [`StatementError::TimedOut`] when others hold it until the
    /// deadline of this request.
    pub(crate) fn lock<'m, T>(&self, mutex: &'m Mutex<T>) -> Result<MutexGuard<'m, T>, StoreError> {
        let Some(deadline) = self.deadline() else {
            return Ok(mutex.lock().unwrap_or_else(PoisonError::into_inner));
        };
        loop {
            match mutex.try_lock() {
                Ok(guard) => return Ok(guard),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => {
                    return Err(StatementError::TimedOut.into());
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_CHECK),
            }
        }
    }

    /// Returns the deadline of this read, if it has one.
    pub fn deadline(&self) -> Option<Instant> {
        self.connection.deadline()
    }

    /// Sets a savepoint. It begins a part of the transaction, which can be rolled back alone.
    pub(crate) fn set_savepoint(&self, name: &str) -> Result<(), StoreError> {
        Ok(self.connection.set_savepoint(name)?)
    }

    /// Releases the savepoint with this name. The changes since then are kept or rolled back.
    pub(crate) fn end_savepoint(&self, name: &str, keep: bool) -> Result<(), StoreError> {
        Ok(self.connection.end_savepoint(name, keep)?)
    }

    /// See [`Connection::continue_ids_after`].
    pub(crate) fn continue_ids_after(&self, table: &str, id: i64) -> Result<(), StoreError> {
        Ok(self.connection.continue_ids_after(table, id)?)
    }

    /// See [`Connection::tables`].
    pub(crate) fn tables(&self) -> Result<Vec<Table>, StoreError> {
        Ok(self.connection.tables()?)
    }

    /// See [`Connection::set_last_id`].
    pub(crate) fn set_last_id(&self, table: &str, id: i64) -> Result<(), StoreError> {
        Ok(self.connection.set_last_id(table, id)?)
    }

    /// Returns the time of the server; `None` for a file.
    pub(crate) fn server_time(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.connection.server_time()?)
    }

    /// Returns the size of the database of a server in bytes; 0 for a file.
    pub(crate) fn server_size(&self) -> Result<u64, StoreError> {
        Ok(self.connection.server_size()?)
    }

    /// Returns what distinguishes the history of the records from that of a copy, see
    /// [`Connection::history`].
    pub(crate) fn history(&self) -> &str {
        self.connection.history()
    }

    /// Translates, parses and plans a statement of portable SQL without running it, for tests of
    /// statements on each engine. Fails with the error of the engine.
    pub fn check_statement(&self, sql: &str) -> Result<(), StoreError> {
        Ok(self.connection.check_statement(sql)?)
    }

    /// Returns the query plan of the engine, one line per step.
    pub(crate) fn plan(&self, sql: &str, values: &[Value]) -> Result<Vec<String>, StoreError> {
        Ok(self.connection.plan(sql, values)?)
    }

    /// Calls `visit` with every row. A row with a damaged value, which `visit` cannot read, is logged and
    /// left out: it must not make every page fail that would show it.
    pub(crate) fn for_each_row(
        &self,
        sql: &str,
        values: &[Value],
        visit: VisitRow<'_>,
    ) -> Result<(), StoreError> {
        let mut visit_readable =
            |row: &Row<'_>| visit(row).or_else(StatementError::skip_damaged_row);
        Ok(self
            .connection
            .for_each_row(sql, values, &mut visit_readable)?)
    }

    /// Lets the query be run with each of these values soon, one after the other, in one round trip
    /// to a server. `values` is not read where that would gain nothing.
    pub(crate) fn preload(
        &self,
        sql: &str,
        mut values: impl Iterator<Item = Vec<Value>>,
    ) -> Result<(), StoreError> {
        Ok(self.connection.preload(sql, &mut values)?)
    }

    /// Returns every row, mapped by `from_row`.
    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        values: &[Value],
        mut from_row: impl FnMut(&Row<'_>) -> Result<T, StatementError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut rows = Vec::new();
        self.for_each_row(sql, values, &mut |row| {
            rows.push(from_row(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Returns the first row, mapped by `from_row`.
    pub(crate) fn first<T>(
        &self,
        sql: &str,
        values: &[Value],
        mut from_row: impl FnMut(&Row<'_>) -> Result<T, StatementError>,
    ) -> Result<Option<T>, StoreError> {
        let mut first = None;
        self.for_each_row(sql, values, &mut |row| {
            if first.is_none() {
                first = Some(from_row(row)?);
            }
            Ok(())
        })?;
        Ok(first)
    }

    /// Returns the first column of every row.
    pub(crate) fn column<T: FromColumn>(
        &self,
        sql: &str,
        values: &[Value],
    ) -> Result<Vec<T>, StoreError> {
        self.rows(sql, values, |row| row.next())
    }

    /// Returns the first column of the first row; 0 when there is no row.
    pub(crate) fn query_i64(&self, sql: &str, values: &[Value]) -> Result<i64, StoreError> {
        Ok(self.first(sql, values, |row| row.next())?.unwrap_or(0))
    }

    /// Runs a statement. Returns the number of rows that it changed.
    pub(crate) fn execute(&self, sql: &str, values: &[Value]) -> Result<usize, StoreError> {
        Ok(self.connection.execute(sql, values)?)
    }
}
