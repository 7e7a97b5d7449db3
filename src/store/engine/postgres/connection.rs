//! One connection to a PostgreSQL server.
//!
//! Each connection has a runtime of its own with one thread, the caller's: a statement blocks like
//! one of SQLite. A round trip to the server is what costs time, so the statements that control a
//! transaction are sent together with the statement that follows them, and the end of a read is
//! sent without waiting for the answer.

mod round_trip;
mod snapshot_rows;
mod transaction;

use super::commit::Commit;
use super::runtime::OwnRuntime;
use super::server::Server;
use super::statements::Statements;
use super::translate::translate;
use crate::engine::deadline::Deadline;
use crate::engine::{OpenError, Row, StatementError, Value};
use futures_util::StreamExt;
use snapshot_rows::SnapshotRows;
use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, SimpleQueryMessage, Statement};

/// Rows that are received together.
const ROWS_PER_CHUNK: usize = 256;
/// How long the server lets a transaction that reads wait for its next statement, when a node has
/// stopped without closing its connection. Such a transaction only keeps deleted rows from being
/// removed.
const IDLE_READER_TIMEOUT: Duration = Duration::from_secs(60);
/// The same for a transaction that writes, for which every other node waits.
const IDLE_WRITER_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a transaction waits for the lock of the writer, and for locks of other programs.
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
    /// Statements that control the transaction and are not sent yet.
    pending: RefCell<String>,
    is_in_transaction: Cell<bool>,
    /// Whether a statement has failed within the transaction. The server then refuses every further
    /// one, until the part with the failed one is rolled back.
    is_aborted: Cell<bool>,
    /// Whether a row is being visited.
    is_visiting: Cell<bool>,
    /// Whether the statement is a commit, which must not be cancelled.
    is_committing: Cell<bool>,
    is_lost: Cell<bool>,
    /// The last commit; its writer is this connection.
    commit: RefCell<Commit>,
}

impl Connection {
    /// Connects to read.
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
            is_in_transaction: Cell::new(false),
            is_aborted: Cell::new(false),
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

    /// Connects to write.
    pub fn open_writer(server: &Server) -> Result<Connection, OpenError> {
        let connection = Self::open_reader(server)?;
        let mut id = [0u8; 16];
        quarry_domain::clock::Entropy::fill(&quarry_domain::clock::SystemEntropy, &mut id);
        connection.commit.borrow_mut().writer = hex::encode(id);
        // A server that acknowledges commits before they are on disk would lose some in a crash.
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
    /// timeline, which changes when a replica is promoted.
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

    /// Returns the server and its timeline.
    pub fn history(&self) -> &str {
        &self.history
    }

    /// Whether the connection was lost, so that it cannot be used any more.
    pub fn is_lost(&self) -> bool {
        self.is_lost.get() || self.client.is_closed()
    }

    /// Sets or removes the deadline of the statements.
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        self.deadline.set(deadline);
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

    /// Runs a query and calls `visit` with every row. Rows arrive while they are visited, so a
    /// statement within `visit` fails: its answer would wait behind the rows that nobody takes.
    pub fn for_each_row(
        &self,
        sql: &str,
        values: &[Value],
        mut visit: impl FnMut(&Row<'_>) -> Result<(), StatementError>,
    ) -> Result<(), StatementError> {
        let received = self.snapshot_rows.borrow().find(sql, values);
        if let Some(rows) = received {
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
        let mut few_rows = self.snapshot_rows.borrow().start();
        let mut chunks = pin!(rows.ready_chunks(ROWS_PER_CHUNK));
        while let Some(chunk) = self.run(async { Ok(chunks.next().await) })? {
            for row in chunk {
                let row = row.map_err(|error| self.failed(error))?;
                let _visit = Visit::start(&self.is_visiting);
                visit(&Row::of_postgres(&row))?;
                few_rows.push(row);
            }
        }
        self.snapshot_rows
            .borrow_mut()
            .insert(sql, values, few_rows);
        Ok(())
    }

    /// Translates, parses and plans a statement without running it.
    pub fn check_statement(&self, sql: &str) -> Result<(), StatementError> {
        self.prepare(sql).map(drop)
    }

    /// Returns the query plan, one line per step.
    pub fn plan(&self, sql: &str, values: &[Value]) -> Result<Vec<String>, StatementError> {
        let mut steps = Vec::new();
        self.for_each_row(&format!("EXPLAIN (COSTS OFF) {sql}"), values, |row| {
            steps.push(row.get(0)?);
            Ok(())
        })?;
        Ok(steps)
    }

    /// Returns the size of the database in bytes.
    pub fn size(&self) -> Result<u64, StatementError> {
        let mut size = 0;
        self.for_each_row("SELECT pg_database_size(current_database())", &[], |row| {
            size = row.next::<i64>()?;
            Ok(())
        })?;
        Ok(u64::try_from(size).unwrap_or(0))
    }

    /// Runs statements without parameters.
    pub(super) fn execute_batch(&self, sql: &str) -> Result<(), StatementError> {
        self.run_after_pending(self.client.batch_execute(sql))
    }

    /// Returns the prepared statement. It is prepared at its first use.
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

/// The visit of a row, also if it panics.
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
