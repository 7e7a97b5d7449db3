//! One connection to the database file, with the settings that keep the data safe.

use super::deadline::{Deadline, INSTRUCTIONS_PER_CHECK};
use super::{Row, StatementError, Value};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use rusqlite::config::DbConfig;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, Value as Native, ValueRef};
use rusqlite::{OpenFlags, TransactionBehavior};
use std::borrow::Cow;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a statement waits for another process that holds the lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of prepared statements that a connection caches.
const MAX_CACHED_STATEMENTS: usize = 256;

/// The database cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The schema of the file is not one of this program. The file is left as it is.
    #[error(
        "the database has schema version {version}, but this program supports only versions up to {supported}: \
         a newer version of Quarry or a pre-release wrote it; use that program, or restore a backup"
    )]
    UnsupportedVersion {
        /// The schema version of the file.
        version: i64,
        /// The latest schema version that this program supports.
        supported: i64,
    },
    /// The file is a database with tables, but without a schema version.
    #[error(
        "{path} is a database of another program: specify another data folder, or move the file away"
    )]
    Foreign {
        /// The file.
        path: String,
    },
    /// The file is damaged or not a database.
    #[error("{path} cannot be used: {problem}")]
    Unusable {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A statement of a migration failed.
    #[error("migration {version} failed: {problem}")]
    Migration {
        /// The version that the migration leads to.
        version: i64,
        /// The error of the engine.
        problem: StatementError,
    },
}

/// `folded` checks the deadline before it folds a text of more than this many bytes.
const DEADLINE_CHECK_BYTES: usize = 16 * 1024;

/// An open connection.
pub struct Connection(rusqlite::Connection, Deadline);

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
            .0
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
            .0
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
            .0
            .execute_batch(settings)
            .map_err(|error| unusable(path, &error))?;
        let deadline = connection.1.clone();
        let handler = connection
            .0
            .progress_handler(INSTRUCTIONS_PER_CHECK, Some(move || deadline.has_passed()));
        handler.map_err(|error| unusable(path, &error))?;
        Ok(connection)
    }

    /// Sets or removes the deadline of the statements of a read-only connection. At the deadline
    /// they fail with [`StatementError::TimedOut`].
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        self.1.set(deadline);
    }

    /// Returns the deadline that [`Connection::set_deadline`] has set.
    pub fn deadline(&self) -> Option<Instant> {
        self.1.get()
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "the one place that opens a connection"
    )]
    fn open(path: &Path, flags: OpenFlags) -> Result<Connection, OpenError> {
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
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        let deadline = Deadline::default();
        let function = {
            let deadline = deadline.clone();
            move |call: &Context<'_>| folded(call, &deadline)
        };
        connection
            .create_scalar_function("folded", 1, flags, function)
            .map_err(|error| unusable(path, &error))?;
        connection
            .create_scalar_function("within", 2, flags, within)
            .map_err(|error| unusable(path, &error))?;
        connection
            .create_scalar_function("local_date", 2, flags, local_date)
            .map_err(|error| unusable(path, &error))?;
        connection
            .create_scalar_function("monday", 1, flags, monday)
            .map_err(|error| unusable(path, &error))?;
        Ok(Connection(connection, deadline))
    }

    /// Applies the pending migrations. Each is a transaction of its own, so that a failed one
    /// changes nothing. Fails without a change when the file has more migrations than these, or
    /// tables but no migration.
    pub fn migrate(&mut self, path: &Path, migrations: &[&str]) -> Result<(), OpenError> {
        let supported = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
        let current: i64 = self
            .0
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .map_err(|error| unusable(path, &error))?;
        if !(0..=supported).contains(&current) {
            return Err(OpenError::UnsupportedVersion {
                version: current,
                supported,
            });
        }
        let is_empty: bool = self
            .0
            .query_row("SELECT COUNT(*) = 0 FROM sqlite_schema", [], |row| {
                row.get(0)
            })
            .map_err(|error| unusable(path, &error))?;
        if current == 0 && !is_empty {
            return Err(OpenError::Foreign {
                path: path.display().to_string(),
            });
        }
        for (version, migration) in (1..)
            .zip(migrations)
            .filter(|(version, _)| *version > current)
        {
            self.apply(version, migration)
                .map_err(|problem| OpenError::Migration { version, problem })?;
        }
        Ok(())
    }

    fn apply(&mut self, version: i64, migration: &str) -> Result<(), StatementError> {
        let transaction = self
            .0
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(&super::expand_migration(migration))?;
        transaction.execute_batch(&format!("PRAGMA user_version = {version}"))?;
        transaction.commit()?;
        Ok(())
    }

    /// Checks the integrity of the file. Fails with the first problem found.
    pub fn check(&self) -> Result<(), StatementError> {
        let result: String = self
            .0
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if result == "ok" {
            Ok(())
        } else {
            Err(StatementError::Engine(result))
        }
    }

    /// Runs a statement that returns no rows. Returns the number of rows that it changed.
    pub fn execute(&self, sql: &str, values: &[Value]) -> Result<usize, StatementError> {
        Ok(self
            .0
            .prepare_cached(&translate(sql))?
            .execute(rusqlite::params_from_iter(values))?)
    }

    /// Runs a query and calls `visit` with every row.
    pub fn for_each_row(
        &self,
        sql: &str,
        values: &[Value],
        mut visit: impl FnMut(&Row<'_>) -> Result<(), StatementError>,
    ) -> Result<(), StatementError> {
        let mut statement = self.0.prepare_cached(&translate(sql))?;
        let mut rows = statement.query(rusqlite::params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            visit(&Row::new(row))?;
        }
        Ok(())
    }

    /// Returns the query plan of SQLite, one line per step.
    pub fn plan(&self, sql: &str, values: &[Value]) -> Result<Vec<String>, StatementError> {
        let mut steps = Vec::new();
        self.for_each_row(&format!("EXPLAIN QUERY PLAN {sql}"), values, |row| {
            steps.push(row.get(3)?);
            Ok(())
        })?;
        Ok(steps)
    }

    /// Begins a read transaction: one snapshot until [`Connection::end_read`].
    pub fn begin_read(&self) -> Result<(), StatementError> {
        if self.0.is_autocommit() {
            self.execute_control("BEGIN")
        } else {
            Ok(())
        }
    }

    /// Ends the read transaction.
    pub fn end_read(&self) -> Result<(), StatementError> {
        if self.0.is_autocommit() {
            Ok(())
        } else {
            self.execute_control("COMMIT")
        }
    }

    /// Runs a transaction control statement.
    pub(super) fn execute_control(&self, sql: &str) -> Result<(), StatementError> {
        self.0.prepare_cached(sql)?.execute([])?;
        Ok(())
    }

    /// Runs a passive checkpoint, which blocks neither readers nor the writer.
    pub fn checkpoint(&self) -> Result<(), StatementError> {
        self.0.execute_batch("PRAGMA wal_checkpoint(PASSIVE);")?;
        Ok(())
    }

    /// Runs a checkpoint that empties the log. Returns `false` if other connections use the log for
    /// longer than this time.
    pub fn empty_log(&self, timeout: Duration) -> Result<bool, StatementError> {
        self.0.busy_timeout(timeout)?;
        let is_busy: bool = self
            .0
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        Ok(!is_busy)
    }

    /// Updates the statistics of the planner, checkpoints the log and truncates it. Runs when the
    /// store is closed.
    pub(super) fn close_log(&self) -> Result<(), StatementError> {
        // The table has samples of indexed values, such as logins, which would outlive a deleted
        // user. Query plans do not need them.
        self.0.execute_batch(
            "PRAGMA optimize; DROP TABLE IF EXISTS sqlite_stat4; PRAGMA wal_checkpoint(TRUNCATE);",
        )?;
        Ok(())
    }
}

/// `folded(x)`: the text in lower case, for case-insensitive comparisons. SQLite's own `lower`
/// handles ASCII only. Interrupts the statement at its deadline, because folding long texts between
/// two checks of the progress handler may take long.
fn folded(call: &Context<'_>, deadline: &Deadline) -> rusqlite::Result<ToSqlOutput<'static>> {
    let ValueRef::Text(bytes) = call.get_raw(0) else {
        return Ok(ToSqlOutput::Owned(Native::Null));
    };
    if bytes.len() > DEADLINE_CHECK_BYTES && deadline.has_passed() {
        return Err(rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_INTERRUPT),
            None,
        ));
    }
    let lower = if bytes.is_ascii() {
        bytes.to_ascii_lowercase()
    } else {
        String::from_utf8_lossy(bytes).to_lowercase().into_bytes()
    };
    Ok(ToSqlOutput::Owned(Native::Text(
        String::from_utf8(lower).unwrap_or_default(),
    )))
}

/// `monday(x)`: the first day of the week of a date, as ISO 8601 counts weeks; NULL for other text.
fn monday(call: &Context<'_>) -> rusqlite::Result<ToSqlOutput<'static>> {
    let ValueRef::Text(bytes) = call.get_raw(0) else {
        return Ok(ToSqlOutput::Owned(Native::Null));
    };
    let day = std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| text.parse::<Date>().ok());
    let monday = day.map(|day| {
        day.saturating_sub(Span::new().days(i64::from(day.weekday().to_monday_zero_offset())))
    });
    Ok(ToSqlOutput::Owned(monday.map_or(Native::Null, |monday| {
        Native::Text(monday.to_string())
    })))
}

/// `local_date(x, zone)`: the date of an instant in microseconds in a zone with an IANA name; NULL
/// for others.
fn local_date(call: &Context<'_>) -> rusqlite::Result<ToSqlOutput<'static>> {
    let (ValueRef::Integer(instant), ValueRef::Text(name)) = (call.get_raw(0), call.get_raw(1))
    else {
        return Ok(ToSqlOutput::Owned(Native::Null));
    };
    let zone = std::str::from_utf8(name)
        .ok()
        .and_then(|name| TimeZone::get(name).ok());
    let instant = Timestamp::from_microsecond(instant).ok();
    let date = zone
        .zip(instant)
        .map(|(zone, instant)| zone.to_datetime(instant).date());
    Ok(ToSqlOutput::Owned(date.map_or(Native::Null, |date| {
        Native::Text(date.to_string())
    })))
}

/// `within(x, ?n)`: whether x is among the sorted ids in parameter n. For a large set this is
/// cheaper than the table that `IN ids(?n)` builds for every statement, and it never becomes the
/// outer loop of the plan.
fn within(call: &Context<'_>) -> rusqlite::Result<ToSqlOutput<'static>> {
    let (ValueRef::Integer(id), ValueRef::Blob(bytes)) = (call.get_raw(0), call.get_raw(1)) else {
        return Ok(ToSqlOutput::Owned(Native::Integer(0)));
    };
    let (ids, _) = bytes.as_chunks::<8>();
    let is_member = ids
        .binary_search_by_key(&id, |bytes| i64::from_be_bytes(*bytes))
        .is_ok();
    Ok(ToSqlOutput::Owned(Native::Integer(i64::from(is_member))))
}

/// Translates portable SQL for SQLite. `ids(?n)` is a table of the ids in parameter n;
/// `along(index)` after a table requires a scan in the order of that index, which the planner does
/// not always choose.
fn translate(sql: &str) -> Cow<'_, str> {
    let sql = replace_calls(Cow::Borrowed(sql), " ids(", |value| {
        format!(" (SELECT value FROM rarray({value}))")
    });
    replace_calls(sql, " along(", |index| format!(" INDEXED BY {index}"))
}

/// Replaces each call that starts with `mark` by the result of `replace` for its argument.
fn replace_calls<'s>(
    sql: Cow<'s, str>,
    mark: &str,
    replace: impl Fn(&str) -> String,
) -> Cow<'s, str> {
    if !sql.contains(mark) {
        return sql;
    }
    let mut replaced = String::with_capacity(sql.len() + 64);
    let mut rest = &*sql;
    while let Some(begin) = rest.find(mark) {
        let (before, after) = rest.split_at(begin);
        let end = after.find(')').unwrap_or(after.len() - 1);
        replaced.push_str(before);
        replaced.push_str(&replace(&after[mark.len()..end]));
        rest = &after[end + 1..];
    }
    replaced.push_str(rest);
    Cow::Owned(replaced)
}

fn unusable(path: &Path, error: &rusqlite::Error) -> OpenError {
    OpenError::Unusable {
        path: path.display().to_string(),
        problem: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_call_becomes_a_table() {
        assert_eq!(
            translate("a IN ids(?1) AND b NOT IN ids(?2)"),
            "a IN (SELECT value FROM rarray(?1)) AND b NOT IN (SELECT value FROM rarray(?2))"
        );
    }

    #[test]
    fn along_call_becomes_an_index_hint() {
        assert_eq!(
            translate("FROM a x along(a_by_b) WHERE c IN ids(?1)"),
            "FROM a x INDEXED BY a_by_b WHERE c IN (SELECT value FROM rarray(?1))"
        );
    }

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
        connection.migrate(&path, &migrations[..1]).unwrap();
        connection.migrate(&path, &migrations[..2]).unwrap();
        assert_eq!(
            connection
                .execute("INSERT INTO b SELECT x FROM a", &[])
                .unwrap(),
            1,
            "the first migration was not run again"
        );
        assert!(matches!(
            connection.migrate(&path, &migrations),
            Err(OpenError::Migration { version: 3, .. })
        ));
        connection.migrate(&path, &migrations[..2]).unwrap();
        let refused = connection.migrate(&path, &migrations[..1]);
        assert!(
            matches!(
                refused,
                Err(OpenError::UnsupportedVersion {
                    version: 2,
                    supported: 1
                })
            ),
            "{refused:?}"
        );
        for version in [0, -1] {
            connection
                .0
                .execute_batch(&format!("PRAGMA user_version = {version}"))
                .unwrap();
            let refused = connection.migrate(&path, &migrations[..2]);
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
