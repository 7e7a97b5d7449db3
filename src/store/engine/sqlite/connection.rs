//! One connection to the database file, with the settings that keep the data safe.

use super::functions;
use super::translate::{expand_migration, translate};
use crate::engine::deadline::{Deadline, INSTRUCTIONS_PER_CHECK};
use crate::engine::program::FIND_PROGRAM;
use crate::engine::{OpenError, Row, StatementError, Value, VisitRow};
use rusqlite::config::DbConfig;
use rusqlite::{OpenFlags, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a statement waits for a lock of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of prepared statements that a connection caches.
const MAX_CACHED_STATEMENTS: usize = 256;

/// An open connection.
pub struct Connection {
    inner: rusqlite::Connection,
    path: PathBuf,
    deadline: Deadline,
}

impl Connection {
    /// Opens the file for writing, and creates it if it is missing. It has a write-ahead log, every
    /// commit is synced to disk, and deleted rows are overwritten with zeros (operations 5.1).
    /// Checkpoints are left to another connection, unless the log exceeds 64 MiB.
    pub fn open_writer(path: &Path) -> Result<Connection, OpenError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Self::open(path, flags)?;
        let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 67108864; \
                        PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 16384; PRAGMA secure_delete = ON;";
        connection
            .inner
            .execute_batch(settings)
            .map_err(|error| unusable(path, &error))?;
        Ok(connection)
    }

    /// Opens the file, which must exist, to run checkpoints.
    pub fn open_checkpointer(path: &Path) -> Result<Connection, OpenError> {
        let connection = Self::open(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        connection
            .inner
            .execute_batch("PRAGMA synchronous = FULL;")
            .map_err(|error| unusable(path, &error))?;
        Ok(connection)
    }

    /// Opens the file read-only.
    pub fn open_reader(path: &Path) -> Result<Connection, OpenError> {
        let mut connection = Self::open(
            path,
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        let settings =
            "PRAGMA query_only = ON; PRAGMA mmap_size = 1073741824; PRAGMA cache_size = -16384;";
        connection
            .inner
            .execute_batch(settings)
            .map_err(|error| unusable(path, &error))?;
        let deadline = connection.deadline.clone();
        let handler = connection
            .inner
            .progress_handler(INSTRUCTIONS_PER_CHECK, Some(move || deadline.has_passed()));
        handler.map_err(|error| unusable(path, &error))?;
        Ok(connection)
    }

    /// Sets or removes the deadline of the statements of a read-only connection. At the deadline
    /// they fail with [`StatementError::TimedOut`].
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        self.deadline.set(deadline);
    }

    /// Returns the deadline that [`Connection::set_deadline`] has set.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.get()
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "the only function that opens a connection"
    )]
    pub(super) fn open(path: &Path, flags: OpenFlags) -> Result<Connection, OpenError> {
        let connection = rusqlite::Connection::open_with_flags(path, flags)
            .map_err(|error| unusable(path, &error))?;
        connection
            .busy_timeout(BUSY_TIMEOUT)
            .map_err(|error| unusable(path, &error))?;
        connection.set_prepared_statement_cache_capacity(MAX_CACHED_STATEMENTS);
        // Keeps the plan of a statement independent of its values, because tests compare plans.
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
            .map_err(|error| unusable(path, &error))?;
        rusqlite::vtab::array::load_module(&connection).map_err(|error| unusable(path, &error))?;
        let deadline = Deadline::default();
        functions::register(&connection, &deadline).map_err(|error| unusable(path, &error))?;
        Ok(Connection {
            inner: connection,
            path: path.to_owned(),
            deadline,
        })
    }

    /// Applies the pending migrations and then `finish`, all in one transaction, so that a failed one
    /// changes nothing. Fails without a change when the file has more migrations than these, or
    /// tables but no migration.
    pub fn migrate(&mut self, migrations: &[&str], finish: &str) -> Result<(), OpenError> {
        let supported = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
        let current: i64 = self
            .inner
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .map_err(|error| unusable(&self.path, &error))?;
        if !(0..=supported).contains(&current) {
            return Err(OpenError::UnsupportedVersion {
                version: current,
                supported,
                program: self.find_program(),
            });
        }
        let is_empty: bool = self
            .inner
            .query_row("SELECT COUNT(*) = 0 FROM sqlite_schema", [], |row| {
                row.get(0)
            })
            .map_err(|error| unusable(&self.path, &error))?;
        if current == 0 && !is_empty {
            return Err(OpenError::Foreign {
                path: self.path.display().to_string(),
            });
        }
        if current == supported {
            return Ok(());
        }
        let transaction = self
            .inner
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(StatementError::from)?;
        // Another process may have migrated while this one waited for the lock.
        let current: i64 = transaction
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .map_err(StatementError::from)?;
        let pending = (1..)
            .zip(migrations)
            .filter(|(version, _)| *version > current);
        for (version, migration) in pending {
            transaction
                .execute_batch(&expand_migration(migration))
                .and_then(|()| {
                    transaction.execute_batch(&format!("PRAGMA user_version = {version}"))
                })
                .map_err(|error| OpenError::Migration {
                    version,
                    problem: error.into(),
                })?;
        }
        transaction
            .execute_batch(finish)
            .and_then(|()| transaction.commit())
            .map_err(|error| OpenError::Migration {
                version: supported,
                problem: error.into(),
            })
    }

    /// Returns the version of the program that has migrated the file last, if the file states it.
    fn find_program(&self) -> Option<String> {
        self.inner
            .query_row(FIND_PROGRAM, [], |row| row.get(0))
            .ok()
    }

    /// Runs a statement that returns no rows. Returns the number of rows that it changed.
    pub fn execute(&self, sql: &str, values: &[Value]) -> Result<usize, StatementError> {
        Ok(self
            .inner
            .prepare_cached(&translate(sql))?
            .execute(rusqlite::params_from_iter(values))?)
    }

    /// Runs a query and calls `visit` with every row.
    pub fn for_each_row(
        &self,
        sql: &str,
        values: &[Value],
        visit: VisitRow<'_>,
    ) -> Result<(), StatementError> {
        let mut statement = self.inner.prepare_cached(&translate(sql))?;
        let mut rows = statement.query(rusqlite::params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            visit(&Row::of_sqlite(row))?;
        }
        Ok(())
    }

    /// Translates, parses and plans a statement without running it.
    pub fn check_statement(&self, sql: &str) -> Result<(), StatementError> {
        self.inner.prepare_cached(&translate(sql))?;
        Ok(())
    }

    /// Returns the query plan of SQLite, one line per step.
    pub fn plan(&self, sql: &str, values: &[Value]) -> Result<Vec<String>, StatementError> {
        let mut steps = Vec::new();
        self.for_each_row(&format!("EXPLAIN QUERY PLAN {sql}"), values, &mut |row| {
            steps.push(row.get(3)?);
            Ok(())
        })?;
        Ok(steps)
    }

    /// Begins a read transaction: one snapshot until [`Connection::end_read`].
    pub fn begin_read(&self) -> Result<(), StatementError> {
        if self.inner.is_autocommit() {
            self.execute_control("BEGIN")
        } else {
            Ok(())
        }
    }

    /// Ends the read transaction.
    pub fn end_read(&self) -> Result<(), StatementError> {
        if self.inner.is_autocommit() {
            Ok(())
        } else {
            self.execute_control("COMMIT")
        }
    }

    /// Begins a transaction that writes, and waits until no other one writes.
    pub fn begin_write(&self) -> Result<(), StatementError> {
        self.execute_control("BEGIN IMMEDIATE")
    }

    /// Commits the transaction. When this returns, it is on disk.
    pub fn commit(&self) -> Result<(), StatementError> {
        self.execute_control("COMMIT")
    }

    /// Rolls the transaction back. Fails when SQLite has rolled back already, as it does when the
    /// disk is full.
    pub fn roll_back(&self) -> Result<(), StatementError> {
        self.execute_control("ROLLBACK")
    }

    /// Sets a savepoint.
    pub fn set_savepoint(&self, name: &str) -> Result<(), StatementError> {
        self.execute_control(&format!("SAVEPOINT {name}"))
    }

    /// Releases the savepoint with this name. The changes since then are kept or rolled back.
    pub fn end_savepoint(&self, name: &str, keep: bool) -> Result<(), StatementError> {
        if !keep {
            self.execute_control(&format!("ROLLBACK TO {name}"))?;
        }
        self.execute_control(&format!("RELEASE {name}"))
    }

    /// Returns the connection of the driver.
    pub(super) fn inner(&mut self) -> &mut rusqlite::Connection {
        &mut self.inner
    }

    /// Returns the path of the file.
    pub(in crate::engine) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs statements without parameters.
    pub(super) fn execute_batch(&self, sql: &str) -> Result<(), StatementError> {
        Ok(self.inner.execute_batch(sql)?)
    }

    /// Runs a transaction control statement.
    fn execute_control(&self, sql: &str) -> Result<(), StatementError> {
        self.inner.prepare_cached(sql)?.execute([])?;
        Ok(())
    }

    /// Runs a passive checkpoint, which blocks neither readers nor the writer.
    pub fn checkpoint(&self) -> Result<(), StatementError> {
        self.inner
            .execute_batch("PRAGMA wal_checkpoint(PASSIVE);")?;
        Ok(())
    }

    /// Runs a checkpoint that empties the log. Returns `false` if other connections still use the
    /// log at the timeout.
    pub fn empty_log(&self, timeout: Duration) -> Result<bool, StatementError> {
        self.inner.busy_timeout(timeout)?;
        let is_busy: bool = self
            .inner
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        Ok(!is_busy)
    }

    /// Updates the statistics of the planner, checkpoints the log and truncates it. Runs when the
    /// store is closed.
    pub fn close_log(&self) -> Result<(), StatementError> {
        // The table has samples of indexed values, such as logins, which would outlive a deleted
        // user. Query plans do not need them.
        self.inner.execute_batch(
            "PRAGMA optimize; DROP TABLE IF EXISTS sqlite_stat4; PRAGMA wal_checkpoint(TRUNCATE);",
        )?;
        Ok(())
    }
}

pub(super) fn unusable(path: &Path, error: &rusqlite::Error) -> OpenError {
    OpenError::Unusable {
        path: path.display().to_string(),
        problem: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pending_migrations_are_applied_and_a_newer_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let migrations = [
            "CREATE TABLE a (x TEXT); INSERT INTO a VALUES ('kept')",
            "CREATE TABLE b (x TEXT)",
            "CREATE TABLE b (y TEXT)",
        ];
        let mut connection = Connection::open_writer(&path).unwrap();
        connection.migrate(&migrations[..1], "").unwrap();
        connection.migrate(&migrations[..2], "").unwrap();
        assert_eq!(
            connection
                .execute("INSERT INTO b SELECT x FROM a", &[])
                .unwrap(),
            1,
            "the first migration was not run again"
        );
        assert!(matches!(
            connection.migrate(&migrations, ""),
            Err(OpenError::Migration { version: 3, .. })
        ));
        connection.migrate(&migrations[..2], "").unwrap();
        let refused = connection.migrate(&migrations[..1], "");
        assert!(
            matches!(
                refused,
                Err(OpenError::UnsupportedVersion {
                    version: 2,
                    supported: 1,
                    program: None
                })
            ),
            "{refused:?}"
        );
        for version in [0, -1] {
            connection
                .inner
                .execute_batch(&format!("PRAGMA user_version = {version}"))
                .unwrap();
            let refused = connection.migrate(&migrations[..2], "");
            assert!(
                matches!(
                    (version, &refused),
                    (0, Err(OpenError::Foreign { .. }))
                        | (-1, Err(OpenError::UnsupportedVersion { version: -1, .. }))
                ),
                "{refused:?}"
            );
        }
    }
}
