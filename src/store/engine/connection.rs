//! One connection to the database file, opened with the settings that keep the data safe.

use super::deadline::{Deadline, INSTRUCTIONS_PER_CHECK};
use super::{Row, StatementError, Value};
use rusqlite::config::DbConfig;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, Value as Native, ValueRef};
use rusqlite::{OpenFlags, TransactionBehavior};
use std::borrow::Cow;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a statement waits for another process that holds the lock.
const BUSY: Duration = Duration::from_secs(10);
/// How many prepared statements a connection keeps.
const STATEMENTS: usize = 256;

/// The database cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file is of a later version of this program.
    #[error("the database is of version {found}, this program knows versions up to {known}: use the newer program")]
    Newer {
        /// The version of the file.
        found: i64,
        /// The latest version that is known here.
        known: i64,
    },
    /// The file is damaged or not a database.
    #[error("{path} cannot be used: {problem}")]
    Unusable {
        /// Which file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A statement of a migration failed.
    #[error("migration {version} failed: {problem}")]
    Migration {
        /// The version that the migration leads to.
        version: i64,
        /// What the engine said.
        problem: StatementError,
    },
}

/// An open connection.
pub struct Connection(rusqlite::Connection, Deadline);

impl Connection {
    /// Opens the file for writing, and makes it if it is not there: write-ahead log, every commit synced to disk. The log is to be moved
    /// into the file by somebody else, unless it grows beyond what is kept of it (64 MiB).
    pub fn open_writer(path: &Path) -> Result<Connection, OpenError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Self::open(path, flags)?;
        let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 67108864; \
                        PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 16384;";
        connection.0.execute_batch(settings).map_err(|error| unusable(path, &error))?;
        Ok(connection)
    }

    /// Opens the file, which must be there, to move the log into it.
    pub fn open_mover(path: &Path) -> Result<Connection, OpenError> {
        let connection = Self::open(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.0.execute_batch("PRAGMA synchronous = FULL;").map_err(|error| unusable(path, &error))?;
        Ok(connection)
    }

    /// Opens the file for reading alone.
    pub fn open_reader(path: &Path) -> Result<Connection, OpenError> {
        let mut connection = Self::open(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        let settings = "PRAGMA query_only = ON; PRAGMA mmap_size = 1073741824; PRAGMA cache_size = -16384;";
        connection.0.execute_batch(settings).map_err(|error| unusable(path, &error))?;
        let deadline = connection.1.clone();
        let watched = connection.0.progress_handler(INSTRUCTIONS_PER_CHECK, Some(move || deadline.is_over()));
        watched.map_err(|error| unusable(path, &error))?;
        Ok(connection)
    }

    /// Sets or removes the time at which statements of a connection for reading are stopped: they then fail with
    /// [`StatementError::TimedOut`].
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        self.1.set(deadline);
    }

    /// The time that [`Connection::set_deadline`] has set.
    pub fn deadline(&self) -> Option<Instant> {
        self.1.get()
    }

    #[allow(clippy::disallowed_methods, reason = "the one place that opens a connection")]
    fn open(path: &Path, flags: OpenFlags) -> Result<Connection, OpenError> {
        let connection = rusqlite::Connection::open_with_flags(path, flags).map_err(|error| unusable(path, &error))?;
        connection.busy_timeout(BUSY).map_err(|error| unusable(path, &error))?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        // Otherwise a statement is planned anew for other values: a plan is what the tests pin.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(|error| unusable(path, &error))?;
        rusqlite::vtab::array::load_module(&connection).map_err(|error| unusable(path, &error))?;
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        connection.create_scalar_function("folded", 1, flags, folded).map_err(|error| unusable(path, &error))?;
        connection.create_scalar_function("within", 2, flags, within).map_err(|error| unusable(path, &error))?;
        Ok(Connection(connection, Deadline::default()))
    }

    /// Brings the file to the latest version; each migration is a transaction of its own, so that a failed one leaves the
    /// data untouched.
    pub fn migrate(&mut self, path: &Path, migrations: &[&str]) -> Result<(), OpenError> {
        let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
        let found: i64 = self.0.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(|error| unusable(path, &error))?;
        if found > known {
            return Err(OpenError::Newer { found, known });
        }
        for (version, migration) in (1..).zip(migrations).filter(|(version, _)| *version > found) {
            self.apply(version, migration).map_err(|problem| OpenError::Migration { version, problem })?;
        }
        Ok(())
    }

    fn apply(&mut self, version: i64, migration: &str) -> Result<(), StatementError> {
        let transaction = self.0.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(&super::spell(migration))?;
        transaction.execute_batch(&format!("PRAGMA user_version = {version}"))?;
        transaction.commit()?;
        Ok(())
    }

    /// Says what is wrong with the file, if anything is.
    pub fn check(&self) -> Result<(), StatementError> {
        let verdict: String = self.0.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if verdict == "ok" { Ok(()) } else { Err(StatementError::Engine(verdict)) }
    }

    /// Runs a statement that answers nothing; the number of rows that it touched.
    pub fn execute(&self, sql: &str, values: &[Value]) -> Result<usize, StatementError> {
        Ok(self.0.prepare_cached(&spelled(sql))?.execute(rusqlite::params_from_iter(values))?)
    }

    /// Runs a query and hands every row to `take`.
    pub fn each(
        &self,
        sql: &str,
        values: &[Value],
        mut take: impl FnMut(&Row<'_>) -> Result<(), StatementError>,
    ) -> Result<(), StatementError> {
        let mut statement = self.0.prepare_cached(&spelled(sql))?;
        let mut rows = statement.query(rusqlite::params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            take(&Row(row))?;
        }
        Ok(())
    }

    /// How the engine goes about a query, a line for each step.
    pub fn plan(&self, sql: &str, values: &[Value]) -> Result<Vec<String>, StatementError> {
        let mut steps = Vec::new();
        self.each(&format!("EXPLAIN QUERY PLAN {sql}"), values, |row| {
            steps.push(row.read(3)?);
            Ok(())
        })?;
        Ok(steps)
    }

    /// Begins a snapshot: what is read until [`Connection::end_read`] belongs together.
    pub fn begin_read(&self) -> Result<(), StatementError> {
        if self.0.is_autocommit() { self.control("BEGIN") } else { Ok(()) }
    }

    /// Ends the snapshot.
    pub fn end_read(&self) -> Result<(), StatementError> {
        if self.0.is_autocommit() { Ok(()) } else { self.control("COMMIT") }
    }

    /// Runs one statement that takes no values, such as those that begin and end a transaction.
    pub(super) fn control(&self, sql: &str) -> Result<(), StatementError> {
        self.0.prepare_cached(sql)?.execute([])?;
        Ok(())
    }

    /// Moves what can be moved of the log into the file, and holds up nobody who reads or writes.
    pub(super) fn move_log(&self) -> Result<(), StatementError> {
        self.0.execute_batch("PRAGMA wal_checkpoint(PASSIVE);")?;
        Ok(())
    }

    /// Moves the log into the file and lets the engine tidy its statistics; done when the store is closed.
    pub(super) fn settle(&self) -> Result<(), StatementError> {
        self.0.execute_batch("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE);")?;
        Ok(())
    }
}

/// `folded(x)`: the text in small letters of every script, for comparisons without regard to case. The engine's own `lower` knows
/// those of ASCII alone; where an engine's knows them all, it is spelled so.
fn folded(call: &Context<'_>) -> rusqlite::Result<ToSqlOutput<'static>> {
    let ValueRef::Text(bytes) = call.get_raw(0) else { return Ok(ToSqlOutput::Owned(Native::Null)) };
    let small = if bytes.is_ascii() { bytes.to_ascii_lowercase() } else { String::from_utf8_lossy(bytes).to_lowercase().into_bytes() };
    Ok(ToSqlOutput::Owned(Native::Text(String::from_utf8(small).unwrap_or_default())))
}

/// `within(x, ?n)`: whether x is among the sorted ids in parameter n. Where a set is large, this is cheaper than the table that
/// `IN ids(?n)` makes of it for every statement, and it never leads the plan.
fn within(call: &Context<'_>) -> rusqlite::Result<ToSqlOutput<'static>> {
    let (ValueRef::Integer(id), ValueRef::Blob(bytes)) = (call.get_raw(0), call.get_raw(1)) else {
        return Ok(ToSqlOutput::Owned(Native::Integer(0)));
    };
    let (ids, _) = bytes.as_chunks::<8>();
    let found = ids.binary_search_by_key(&id, |bytes| i64::from_be_bytes(*bytes)).is_ok();
    Ok(ToSqlOutput::Owned(Native::Integer(i64::from(found))))
}

/// `ids(?n)` is a table of the ids in parameter n; `along(index)` behind a table says in which order to walk through it, which
/// the engine does not always guess.
fn spelled(sql: &str) -> Cow<'_, str> {
    let lists = marked(Cow::Borrowed(sql), " ids(", |value| format!(" (SELECT value FROM rarray({value}))"));
    marked(lists, " along(", |index| format!(" INDEXED BY {index}"))
}

/// The text with each mark and what is in its parentheses as `spell` says it.
fn marked<'s>(sql: Cow<'s, str>, mark: &str, spell: impl Fn(&str) -> String) -> Cow<'s, str> {
    if !sql.contains(mark) {
        return sql;
    }
    let mut spelled = String::with_capacity(sql.len() + 64);
    let mut rest = &*sql;
    while let Some(begin) = rest.find(mark) {
        let (before, after) = rest.split_at(begin);
        let end = after.find(')').unwrap_or(after.len() - 1);
        spelled.push_str(before);
        spelled.push_str(&spell(&after[mark.len()..end]));
        rest = &after[end + 1..];
    }
    spelled.push_str(rest);
    Cow::Owned(spelled)
}

fn unusable(path: &Path, error: &rusqlite::Error) -> OpenError {
    OpenError::Unusable { path: path.display().to_string(), problem: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_ids_becomes_a_table() {
        assert_eq!(
            spelled("a IN ids(?1) AND b NOT IN ids(?2)"),
            "a IN (SELECT value FROM rarray(?1)) AND b NOT IN (SELECT value FROM rarray(?2))"
        );
    }

    #[test]
    fn a_way_through_a_table_becomes_an_index() {
        assert_eq!(
            spelled("FROM a x along(a_by_b) WHERE c IN ids(?1)"),
            "FROM a x INDEXED BY a_by_b WHERE c IN (SELECT value FROM rarray(?1))"
        );
    }
}
