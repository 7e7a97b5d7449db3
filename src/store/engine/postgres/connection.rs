//! One connection to a PostgreSQL server.
//!
//! Each connection has a runtime of its own, which runs in the thread of the caller: a statement
//! blocks, as in SQLite. Round trips to the server cost most, so the statements that control a
//! transaction are sent together with the statement that follows them, and the end of a read is
//! sent without waiting for the answer.

mod round_trip;
mod savepoints;
mod snapshot_rows;
mod transaction;

use super::commit::Commit;
use super::runtime::OwnRuntime;
use super::server::Server;
use super::statements::Statements;
use super::translate::translate;
use crate::engine::deadline::Deadline;
use crate::engine::{OpenError, Row, StatementError, Value, VisitRow};
use futures_util::StreamExt;
use futures_util::future::try_join_all;
use jiff::Timestamp;
use savepoints::Savepoints;
use snapshot_rows::SnapshotRows;
use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, SimpleQueryMessage, Statement};

/// Maximum number of rows that are received at once.
const ROWS_PER_CHUNK: usize = 256;
/// Time after which the server ends an idle transaction that reads, such as one of a node that
/// stopped without closing its connection. Until then it only keeps dead rows from being vacuumed.
const IDLE_READER_TIMEOUT: Duration = Duration::from_secs(60);
/// The same for a transaction that writes. Until then all other nodes wait for its lock.
const IDLE_WRITER_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time that a transaction waits for the lock of the writer, or for locks of other
/// programs.
const LOCK_TIMEOUT: Duration = Duration::from_secs(15);

/// An open connection.
pub struct Connection {
    runtime: OwnRuntime,
    pub(super) client: Client,
    server: Server,
    deadline: Deadline,
    history: String,
    statements: RefCell<Statements>,
    snapshot_rows: RefCell<SnapshotRows>,
    /// Transaction control statements that have not been sent yet.
    pending: RefCell<String>,
    savepoints: RefCell<Savepoints>,
    is_in_transaction: Cell<bool>,
    /// Whether a statement of the transaction has failed. The server then refuses all others, until
    /// the transaction is rolled back to a savepoint before the failed one.
    abort_cause: RefCell<Option<StatementError>>,
    /// Whether a row is being visited.
    is_visiting: Cell<bool>,
    /// Whether a commit is running, which must not be cancelled.
    is_committing: Cell<bool>,
    is_lost: Cell<bool>,
    /// The last commit of this connection.
    commit: RefCell<Commit>,
}

impl Connection {
    /// Opens a connection that reads.
    pub fn open_reader(server: &Server) -> Result<Connection, OpenError> {
        let runtime = OwnRuntime::new()?;
        let client = runtime.block_on(server.connect())?;
        let mut connection = Connection {
            runtime,
            client,
            server: server.clone(),
            deadline: Deadline::default(),
            history: String::new(),
            statements: RefCell::default(),
            snapshot_rows: RefCell::default(),
            pending: RefCell::default(),
            savepoints: RefCell::default(),
            is_in_transaction: Cell::new(false),
            abort_cause: RefCell::default(),
            is_visiting: Cell::new(false),
            is_committing: Cell::new(false),
            is_lost: Cell::new(false),
            commit: RefCell::default(),
        };
        connection.history = connection
            .set_up()
            .map_err(|error| server.session_error(error))?;
        Ok(connection)
    }

    /// Opens a connection that writes.
    pub fn open_writer(server: &Server) -> Result<Connection, OpenError> {
        let connection = Self::open_reader(server)?;
        let mut id = [0u8; 16];
        quarry_domain::clock::Entropy::fill(&quarry_domain::clock::SystemEntropy, &mut id);
        connection.commit.borrow_mut().writer = hex::encode(id);
        // With `off`, the server would acknowledge commits before they are on disk.
        let sql = format!(
            "SET lock_timeout = {}; SET idle_in_transaction_session_timeout = {}; \
             SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
            LOCK_TIMEOUT.as_millis(),
            IDLE_WRITER_TIMEOUT.as_millis()
        );
        connection
            .execute_batch(&sql)
            .map_err(|error| server.session_error(error))?;
        Ok(connection)
    }

    /// Sets the parameters of the session. Returns the history of the database: the server and its
    /// timeline, which changes when a standby is promoted.
    fn set_up(&self) -> Result<String, StatementError> {
        let sql = format!(
            "SET TimeZone = 'UTC'; SET client_min_messages = 'warning'; \
             SET idle_in_transaction_session_timeout = {}; \
             SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3; \
             SELECT (SELECT system_identifier FROM pg_control_system()) || '-' || \
             substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)",
            IDLE_READER_TIMEOUT.as_millis()
        );
        let messages = self.run(self.client.simple_query(&sql))?;
        let history = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
        Ok(history.unwrap_or_default())
    }

    /// Returns the URL of the database without its password.
    pub(super) fn name(&self) -> &str {
        self.server.name()
    }

    /// Returns the history of the database: the server and its timeline.
    pub fn history(&self) -> &str {
        &self.history
    }

    /// Whether the connection is lost, so that another one must be opened.
    pub fn is_lost(&self) -> bool {
        self.is_lost.get() || self.client.is_closed()
    }

    /// Sets or removes the deadline of the statements.
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        self.deadline.set(deadline);
    }

    /// Returns the URL of the database without a password.
    #[cfg(feature = "statement-log")]
    pub fn server_name(&self) -> &str {
        self.server.name()
    }

    /// Returns the deadline that [`Connection::set_deadline`] has set.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.get()
    }

    /// Runs a statement. Returns the number of rows that it changed.
    pub fn execute(&self, sql: &str, values: &[Value]) -> Result<usize, StatementError> {
        let statement = self.prepare(sql)?;
        let values = parameters(values);
        let changed = self.run_after_pending(self.client.execute(&statement, &values))?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    /// Runs a query and calls `visit` with every row. Rows are received while others are visited,
    /// so a statement within `visit` fails: its response would wait behind rows that are not read
    /// yet.
    pub fn for_each_row(
        &self,
        sql: &str,
        values: &[Value],
        visit: VisitRow<'_>,
    ) -> Result<(), StatementError> {
        let cached = self.snapshot_rows.borrow().find(sql, values);
        if let Some(rows) = cached {
            return rows
                .iter()
                .try_for_each(|row| visit(&Row::of_postgres(row)));
        }
        let statement = self.prepare(sql)?;
        let parameters = parameters(values);
        let rows = self.run_after_pending(
            self.client
                .query_raw(&statement, parameters.iter().copied()),
        )?;
        let mut kept_rows = self.snapshot_rows.borrow().start();
        let mut chunks = pin!(rows.ready_chunks(ROWS_PER_CHUNK));
        while let Some(chunk) = self.run(async { Ok(chunks.next().await) })? {
            for row in chunk {
                let row = row.map_err(|error| self.record_error(error))?;
                let _visit = Visit::start(&self.is_visiting);
                visit(&Row::of_postgres(&row))?;
                kept_rows.push(row);
            }
        }
        self.snapshot_rows
            .borrow_mut()
            .insert(sql, values, kept_rows);
        Ok(())
    }

    /// Runs a query with each of these values in one round trip. Run with one of them later in this
    /// read, it is answered from memory.
    pub fn preload(
        &self,
        sql: &str,
        values: &mut dyn Iterator<Item = Vec<Value>>,
    ) -> Result<(), StatementError> {
        if !self.snapshot_rows.borrow().is_reading() {
            return Ok(());
        }
        let values: Vec<Vec<Value>> = values.collect();
        let missing = self.snapshot_rows.borrow().missing(sql, values);
        // A single one can wait until it is needed.
        if missing.len() < 2 {
            return Ok(());
        }
        let statement = self.prepare(sql)?;
        let parameters: Vec<_> = missing.iter().map(|values| parameters(values)).collect();
        let queries = parameters
            .iter()
            .map(|parameters| self.client.query(&statement, parameters));
        let answers = self.run_after_pending(try_join_all(queries))?;
        let mut snapshot_rows = self.snapshot_rows.borrow_mut();
        for (values, rows) in missing.iter().zip(answers) {
            let mut kept_rows = snapshot_rows.start();
            rows.into_iter().for_each(|row| kept_rows.push(row));
            snapshot_rows.insert(sql, values, kept_rows);
        }
        Ok(())
    }

    /// Translates, parses and plans a statement without running it.
    pub fn check_statement(&self, sql: &str) -> Result<(), StatementError> {
        self.prepare(sql).map(drop)
    }

    /// Returns the query plan, one line per step.
    pub fn plan(&self, sql: &str, values: &[Value]) -> Result<Vec<String>, StatementError> {
        let mut steps = Vec::new();
        self.for_each_row(&format!("EXPLAIN (COSTS OFF) {sql}"), values, &mut |row| {
            steps.push(row.get(0)?);
            Ok(())
        })?;
        Ok(steps)
    }

    /// Returns the time of the server.
    pub fn time(&self) -> Result<Timestamp, StatementError> {
        let sql = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)";
        let mut microseconds = 0;
        self.for_each_row(sql, &[], &mut |row| {
            microseconds = row.next()?;
            Ok(())
        })?;
        Ok(Timestamp::from_microsecond(microseconds).unwrap_or_default())
    }

    /// Returns the size of the database in bytes.
    pub fn size(&self) -> Result<u64, StatementError> {
        let mut size = 0;
        self.for_each_row(
            "SELECT pg_database_size(current_database())",
            &[],
            &mut |row| {
                size = row.next::<i64>()?;
                Ok(())
            },
        )?;
        Ok(u64::try_from(size).unwrap_or(0))
    }

    /// Runs statements without parameters.
    pub(super) fn execute_batch(&self, sql: &str) -> Result<(), StatementError> {
        self.run_after_pending(self.client.batch_execute(sql))
    }

    /// Returns the prepared statement, which is cached.
    pub(super) fn prepare(&self, sql: &str) -> Result<Statement, StatementError> {
        if let Some(statement) = self.statements.borrow_mut().get(sql) {
            return Ok(statement);
        }
        let translated = translate(sql);
        let statement = self.run_after_pending(self.client.prepare(&translated))?;
        self.statements.borrow_mut().insert(sql, statement.clone());
        Ok(statement)
    }
}

/// Marks that a row is being visited, until this is dropped, even by a panic.
struct Visit<'c>(&'c Cell<bool>);

impl<'c> Visit<'c> {
    fn start(is_visiting: &'c Cell<bool>) -> Visit<'c> {
        is_visiting.set(true);
        Visit(is_visiting)
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as _).collect()
}
