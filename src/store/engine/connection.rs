//! One connection to the records, independent of the engine.

use super::{
    DatabaseLocation, OpenError, StatementError, Value, VisitRow, postgres, sqlite, statement_times,
};
use jiff::Timestamp;
use std::path::Path;
use std::time::Instant;

/// An open connection. Each method calls the one of the same name of the engine.
pub enum Connection {
    /// A connection to a file.
    Sqlite(sqlite::Connection),
    /// A connection to a server.
    Postgres(Box<postgres::Connection>),
}

/// Calls the method of the engine.
macro_rules! engine {
    ($connection:expr, $inner:ident => $call:expr) => {
        match $connection {
            Connection::Sqlite($inner) => $call,
            Connection::Postgres($inner) => $call,
        }
    };
}

impl Connection {
    /// Opens a connection that writes, except to a file at rest. Creates a missing file.
    pub fn open_writer(location: &DatabaseLocation) -> Result<Connection, OpenError> {
        #[cfg(feature = "statement-log")]
        super::statement_log::register(location);
        Ok(match location {
            DatabaseLocation::File(path) => {
                Connection::Sqlite(sqlite::Connection::open_writer(path)?)
            }
            DatabaseLocation::AtRest(path) => {
                Connection::Sqlite(sqlite::Connection::open_at_rest(path)?)
            }
            DatabaseLocation::Server(server) => {
                Connection::Postgres(Box::new(postgres::Connection::open_writer(server)?))
            }
        })
    }

    /// Opens a connection that only reads.
    pub fn open_reader(location: &DatabaseLocation) -> Result<Connection, OpenError> {
        Ok(match location {
            DatabaseLocation::File(path) => {
                Connection::Sqlite(sqlite::Connection::open_reader(path)?)
            }
            DatabaseLocation::AtRest(path) => {
                Connection::Sqlite(sqlite::Connection::open_at_rest(path)?)
            }
            DatabaseLocation::Server(server) => {
                Connection::Postgres(Box::new(postgres::Connection::open_reader(server)?))
            }
        })
    }

    /// Opens a SQLite file that nobody writes, such as one of a backup. Creates no other files.
    pub fn open_immutable(path: &Path) -> Result<Connection, OpenError> {
        sqlite::Connection::open_immutable(path).map(Connection::Sqlite)
    }

    /// Applies the pending migrations and then `finish`, all in one transaction, so that a failed one
    /// changes nothing. Fails without a change when the database has more migrations than these, or
    /// tables but no migration.
    pub fn migrate(&mut self, migrations: &[&str], finish: &str) -> Result<(), OpenError> {
        engine!(self, connection => connection.migrate(migrations, finish))
    }

    /// Checks the integrity of a file. Fails with the first problem found. Does nothing for a
    /// server, which checks its own files.
    pub fn check(&self) -> Result<(), StatementError> {
        match self {
            Connection::Sqlite(connection) => connection.check(),
            Connection::Postgres(_) => Ok(()),
        }
    }

    /// Returns what is wrong with the structure of a file and its foreign keys, at most some problems of
    /// each. Returns nothing for a server, which checks its own files.
    pub fn integrity_problems(&self) -> Result<Vec<String>, StatementError> {
        match self {
            Connection::Sqlite(connection) => connection.integrity_problems(),
            Connection::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Like [`Connection::check`], also of the indexes, which takes longer.
    pub fn check_thoroughly(&self) -> Result<(), StatementError> {
        match self {
            Connection::Sqlite(connection) => connection.check_thoroughly(),
            Connection::Postgres(_) => Ok(()),
        }
    }

    /// Sets or removes the deadline of the statements of a read-only connection. At the deadline
    /// they fail with [`StatementError::TimedOut`].
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        engine!(self, connection => connection.set_deadline(deadline))
    }

    /// Returns the deadline that [`Connection::set_deadline`] has set.
    pub fn deadline(&self) -> Option<Instant> {
        engine!(self, connection => connection.deadline())
    }

    /// Runs a statement that returns no rows. Returns the number of rows that it changed.
    pub fn execute(&self, sql: &str, values: &[Value]) -> Result<usize, StatementError> {
        self.log_statement(sql);
        statement_times::time(
            sql,
            || engine!(self, connection => connection.execute(sql, values)),
        )
    }

    /// Runs a query and calls `visit` with every row. `visit` must not run statements on this
    /// connection.
    pub fn for_each_row(
        &self,
        sql: &str,
        values: &[Value],
        visit: VisitRow<'_>,
    ) -> Result<(), StatementError> {
        self.log_statement(sql);
        statement_times::time(
            sql,
            || engine!(self, connection => connection.for_each_row(sql, values, visit)),
        )
    }

    /// Lets the query be run with each of these values soon, one after the other: a server answers
    /// all in one round trip. Does nothing for a file.
    pub fn preload(
        &self,
        sql: &str,
        values: &mut dyn Iterator<Item = Vec<Value>>,
    ) -> Result<(), StatementError> {
        match self {
            Connection::Sqlite(_) => Ok(()),
            Connection::Postgres(connection) => {
                self.log_statement(sql);
                statement_times::time(sql, || connection.preload(sql, values))
            }
        }
    }

    /// Records that a statement is executed, in test builds.
    #[cfg(feature = "statement-log")]
    fn log_statement(&self, sql: &str) {
        match self {
            Connection::Sqlite(connection) => {
                super::statement_log::record(
                    "sqlite",
                    &connection.path().display().to_string(),
                    sql,
                );
            }
            Connection::Postgres(connection) => {
                super::statement_log::record("postgres", connection.server_name(), sql);
            }
        }
    }

    #[cfg(not(feature = "statement-log"))]
    #[inline]
    fn log_statement(&self, _sql: &str) {}

    /// Translates, parses and plans a statement without running it.
    pub fn check_statement(&self, sql: &str) -> Result<(), StatementError> {
        engine!(self, connection => connection.check_statement(sql))
    }

    /// Returns the query plan of the engine, one line per step.
    pub fn plan(&self, sql: &str, values: &[Value]) -> Result<Vec<String>, StatementError> {
        engine!(self, connection => connection.plan(sql, values))
    }

    /// Begins a read transaction: one snapshot until [`Connection::end_read`].
    pub fn begin_read(&self) -> Result<(), StatementError> {
        engine!(self, connection => connection.begin_read())
    }

    /// Ends the read transaction.
    pub fn end_read(&self) -> Result<(), StatementError> {
        engine!(self, connection => connection.end_read())
    }

    /// Begins a transaction that writes, and waits until no other one writes.
    pub fn begin_write(&self) -> Result<(), StatementError> {
        engine!(self, connection => connection.begin_write())
    }

    /// Commits the transaction. When this returns, it is on disk.
    pub fn commit(&self) -> Result<(), StatementError> {
        engine!(self, connection => connection.commit())
    }

    /// Rolls the transaction back.
    pub fn roll_back(&self) -> Result<(), StatementError> {
        engine!(self, connection => connection.roll_back())
    }

    /// Sets a savepoint. It begins a part of the transaction, which can be rolled back alone. Parts
    /// may be nested, with different names.
    pub fn set_savepoint(&self, name: &str) -> Result<(), StatementError> {
        engine!(self, connection => connection.set_savepoint(name))
    }

    /// Releases the savepoint with this name. The changes since then are kept or rolled back.
    pub fn end_savepoint(&self, name: &str, keep: bool) -> Result<(), StatementError> {
        engine!(self, connection => connection.end_savepoint(name, keep))
    }

    /// Returns the error of a statement that has failed since the last savepoint, which must then be
    /// rolled back. SQLite undoes a failed statement alone.
    pub fn abort_cause(&self) -> Option<StatementError> {
        match self {
            Connection::Sqlite(_) => None,
            Connection::Postgres(connection) => connection.abort_cause(),
        }
    }

    /// Ends the transaction and the deadline of an interrupted read, before the connection is
    /// reused.
    pub fn reset(&self) {
        if let Connection::Postgres(connection) = self {
            connection.set_deadline(None);
            // Fails only when the connection is lost.
            let _ = connection.end_read();
        }
    }

    /// Makes the next generated id of this table greater than this one.
    pub fn continue_ids_after(&self, table: &str, id: i64) -> Result<(), StatementError> {
        match self {
            // `AUTOINCREMENT` continues after the greatest id by itself.
            Connection::Sqlite(_) => Ok(()),
            Connection::Postgres(connection) => connection.continue_ids_after(table, id),
        }
    }

    /// Returns the time of the server; `None` for a file.
    pub fn server_time(&self) -> Result<Option<Timestamp>, StatementError> {
        match self {
            Connection::Sqlite(_) => Ok(None),
            Connection::Postgres(connection) => connection.time().map(Some),
        }
    }

    /// Returns the size of a database on a server in bytes; 0 for a file.
    pub fn server_size(&self) -> Result<u64, StatementError> {
        match self {
            Connection::Sqlite(_) => Ok(0),
            Connection::Postgres(connection) => connection.size(),
        }
    }

    /// Whether the connection is lost, so that another one must be opened.
    pub fn is_lost(&self) -> bool {
        match self {
            Connection::Sqlite(_) => false,
            Connection::Postgres(connection) => connection.is_lost(),
        }
    }

    /// Returns the commit whose outcome is unknown because the connection was lost.
    pub fn lost_commit(&self) -> Option<postgres::Commit> {
        match self {
            Connection::Sqlite(_) => None,
            Connection::Postgres(connection) => connection.lost_commit(),
        }
    }

    /// Deletes rows of old commits, whose outcome is no longer looked up.
    pub fn delete_old_commits(&self) -> Result<(), StatementError> {
        match self {
            Connection::Sqlite(_) => Ok(()),
            Connection::Postgres(connection) => connection.delete_old_commits(),
        }
    }

    /// Whether the server has committed this transaction of an earlier connection.
    pub fn has_committed(&self, commit: &postgres::Commit) -> Result<bool, StatementError> {
        match self {
            Connection::Sqlite(_) => Ok(false),
            Connection::Postgres(connection) => connection.has_committed(commit),
        }
    }

    /// Returns the history of the database: the server and its timeline, which changes when a
    /// standby is promoted. Empty for a file.
    pub fn history(&self) -> &str {
        match self {
            Connection::Sqlite(_) => "",
            Connection::Postgres(connection) => connection.history(),
        }
    }
}
