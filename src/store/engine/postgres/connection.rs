//! One connection to a PostgreSQL server.
//!
//! Each connection has a runtime of its own with one thread, the caller's: a statement blocks like
//! one of SQLite. A round trip to the server is what costs time, so the statements that control a
//! transaction are sent together with the statement that follows them, and the end of a read is
//! sent without waiting for the answer.

use super::error::is_lost;
use super::server::Server;
use super::statements::Statements;
use super::translate::translate;
use crate::engine::deadline::Deadline;
use crate::engine::{OpenError, Row, StatementError, Value};
use futures_util::StreamExt;
use futures_util::future::join;
use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, SimpleQueryMessage, Statement};

/// The transaction lock of the only writer of all nodes. The number is "quarry" in ASCII.
const WRITER_LOCK: i64 = 0x71_75_61_72_72_79;
/// Rows that are received together.
const ROWS_PER_CHUNK: usize = 256;
/// How long the server lets a transaction wait for its next statement, when a node has stopped
/// without closing its connection.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// A commit that can be found again on another connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    writer: String,
    number: i64,
}

/// An open connection.
pub struct Connection {
    /// `None` only while the connection is dropped.
    runtime: Option<Runtime>,
    client: Client,
    server: Server,
    deadline: Deadline,
    history: String,
    statements: RefCell<Statements>,
    /// Statements that control the transaction and are not sent yet.
    pending: RefCell<String>,
    is_in_transaction: Cell<bool>,
    is_lost: Cell<bool>,
    /// The last commit; its writer is this connection.
    commit: RefCell<Commit>,
}

impl Connection {
    /// Connects to read.
    pub fn open_reader(server: &Server) -> Result<Connection, OpenError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| OpenError::Unavailable(error.to_string()))?;
        let client = runtime.block_on(server.connect())?;
        let mut connection = Connection {
            runtime: Some(runtime),
            client,
            server: server.clone(),
            deadline: Deadline::default(),
            history: String::new(),
            statements: RefCell::default(),
            pending: RefCell::default(),
            is_in_transaction: Cell::new(false),
            is_lost: Cell::new(false),
            commit: RefCell::new(Commit {
                writer: String::new(),
                number: 0,
            }),
        };
        let setup = connection.set_up();
        connection.history = setup.map_err(|error| match error {
            StatementError::Unavailable(problem) => OpenError::Unavailable(problem),
            other => OpenError::Unusable {
                path: server.name().to_owned(),
                problem: other.to_string(),
            },
        })?;
        Ok(connection)
    }

    /// Connects to write.
    pub fn open_writer(server: &Server) -> Result<Connection, OpenError> {
        let connection = Self::open_reader(server)?;
        let mut id = [0u8; 16];
        quarry_domain::clock::Entropy::fill(&quarry_domain::clock::SystemEntropy, &mut id);
        connection.commit.borrow_mut().writer = hex::encode(id);
        Ok(connection)
    }

    /// Sets the parameters of the session. Returns the history of the database: the server and its
    /// timeline, which changes when a replica is promoted.
    fn set_up(&self) -> Result<String, StatementError> {
        let sql = format!(
            "SET TimeZone = 'UTC'; SET client_min_messages = 'warning'; \
             SET idle_in_transaction_session_timeout = {}; \
             SELECT (SELECT system_identifier FROM pg_control_system()) || '-' || \
             substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)",
            IDLE_TIMEOUT.as_millis()
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

    /// Runs a query and calls `visit` with every row.
    pub fn for_each_row(
        &self,
        sql: &str,
        values: &[Value],
        mut visit: impl FnMut(&Row<'_>) -> Result<(), StatementError>,
    ) -> Result<(), StatementError> {
        let statement = self.prepare(sql)?;
        let values = parameters(values);
        let rows =
            self.run_after_pending(self.client.query_raw(&statement, values.iter().copied()))?;
        let mut chunks = pin!(rows.ready_chunks(ROWS_PER_CHUNK));
        while let Some(chunk) = self.run(async { Ok(chunks.next().await) })? {
            for row in chunk {
                let row = row.map_err(|error| self.failed(error))?;
                visit(&Row::of_postgres(&row))?;
            }
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
        self.for_each_row(&format!("EXPLAIN (COSTS OFF) {sql}"), values, |row| {
            steps.push(row.get(0)?);
            Ok(())
        })?;
        Ok(steps)
    }

    /// Begins a read transaction: one snapshot until [`Connection::end_read`].
    pub fn begin_read(&self) -> Result<(), StatementError> {
        self.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        Ok(())
    }

    /// Ends the read transaction, without waiting for the server.
    pub fn end_read(&self) -> Result<(), StatementError> {
        self.is_in_transaction.set(false);
        let was_sent = self.take_pending().is_none();
        if was_sent && !self.is_lost() {
            self.send("COMMIT");
        }
        Ok(())
    }

    /// Begins a transaction that writes, and waits until no other node writes. Each statement then
    /// sees what was committed before: a snapshot of the whole transaction would have begun before
    /// the wait.
    pub fn begin_write(&self) -> Result<(), StatementError> {
        self.begin(&format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock({WRITER_LOCK})"
        ));
        self.send_pending()
    }

    /// Commits the transaction, with a mark by which another connection can find the commit.
    pub fn commit(&self) -> Result<(), StatementError> {
        let commit = {
            let mut commit = self.commit.borrow_mut();
            commit.number += 1;
            commit.clone()
        };
        self.push_pending(&format!(
            "INSERT INTO commits (writer, number, committed_on) VALUES ('{}', {}, now()) \
             ON CONFLICT (writer) DO UPDATE SET number = excluded.number, committed_on = excluded.committed_on; COMMIT",
            commit.writer, commit.number
        ));
        self.is_in_transaction.set(false);
        self.send_pending()
    }

    /// Rolls the transaction back.
    pub fn roll_back(&self) -> Result<(), StatementError> {
        self.take_pending();
        self.is_in_transaction.set(false);
        self.push_pending("ROLLBACK");
        self.send_pending()
    }

    /// Begins a part of the transaction, which can be rolled back alone.
    pub fn begin_part(&self, name: &str) -> Result<(), StatementError> {
        self.push_pending(&format!("SAVEPOINT {name}"));
        Ok(())
    }

    /// Ends the part with this name; its changes stay or are rolled back.
    pub fn end_part(&self, name: &str, keep: bool) -> Result<(), StatementError> {
        if !keep {
            self.push_pending(&format!("ROLLBACK TO {name}"));
        }
        self.push_pending(&format!("RELEASE {name}"));
        Ok(())
    }

    /// Returns the last commit if the connection was lost, so that its outcome is unknown.
    pub fn lost_commit(&self) -> Option<Commit> {
        self.is_lost().then(|| self.commit.borrow().clone())
    }

    /// Whether the server has made this commit. Waits until the transaction of the lost connection
    /// has ended.
    pub fn has_committed(&self, commit: &Commit) -> Result<bool, StatementError> {
        self.begin_write()?;
        let mut number = None;
        let sql = "SELECT number FROM commits WHERE writer = ?1";
        self.for_each_row(sql, &[commit.writer.as_str().into()], |row| {
            number = row.next()?;
            Ok(())
        })?;
        self.roll_back()?;
        Ok(number == Some(commit.number))
    }

    /// Makes the next id that the server chooses for a row of this table greater than this one.
    pub fn continue_ids_after(&self, table: &str, id: i64) -> Result<(), StatementError> {
        self.execute(
            "SELECT continue_ids_after(?1, ?2)",
            &[table.into(), id.into()],
        )
        .map(drop)
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

    fn begin(&self, sql: &str) {
        self.take_pending();
        // A panic in the middle of a transaction leaves it open.
        if self.is_in_transaction.replace(true) {
            self.push_pending("ROLLBACK");
        }
        self.push_pending(sql);
    }

    /// Returns the prepared statement. It is prepared at its first use.
    fn prepare(&self, sql: &str) -> Result<Statement, StatementError> {
        if let Some(statement) = self.statements.borrow_mut().get(sql) {
            return Ok(statement);
        }
        let translated = translate(sql);
        let statement = self.run_after_pending(self.client.prepare(&translated))?;
        self.statements.borrow_mut().insert(sql, statement.clone());
        Ok(statement)
    }

    fn push_pending(&self, sql: &str) {
        // Writing to a `String` cannot fail.
        let _ = write!(self.pending.borrow_mut(), "{sql}; ");
    }

    /// Takes the statements that are not sent yet; `None` when there are none.
    fn take_pending(&self) -> Option<String> {
        let pending = std::mem::take(&mut *self.pending.borrow_mut());
        (!pending.is_empty()).then_some(pending)
    }

    fn send_pending(&self) -> Result<(), StatementError> {
        match self.take_pending() {
            Some(pending) => self.run(self.client.batch_execute(&pending)),
            None => Ok(()),
        }
    }

    /// Runs a statement. Those that are pending are sent with it, in one round trip.
    fn run_after_pending<T>(
        &self,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StatementError> {
        let Some(pending) = self.take_pending() else {
            return self.run(statement);
        };
        self.run(async {
            let (pending, outcome) = join(self.client.batch_execute(&pending), statement).await;
            pending?;
            outcome
        })
    }

    /// Waits for an answer of the server. At the deadline the statement is cancelled.
    fn run<T>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StatementError> {
        let Some(runtime) = &self.runtime else {
            return Err(StatementError::Unavailable(
                "the connection is closed".to_owned(),
            ));
        };
        let outcome = runtime.block_on(async {
            let mut answer = pin!(answer);
            let Some(deadline) = self.deadline.get() else {
                return answer.await;
            };
            match tokio::time::timeout_at(deadline.into(), &mut answer).await {
                Ok(outcome) => outcome,
                Err(_) => {
                    self.server.cancel(&self.client.cancel_token()).await;
                    answer.await
                }
            }
        });
        outcome.map_err(|error| self.failed(error))
    }

    /// Sends a statement whose answer nobody needs.
    fn send(&self, sql: &str) {
        if let Some(runtime) = &self.runtime {
            runtime.block_on(async {
                let mut answer = pin!(self.client.batch_execute(sql));
                // Polled once to hand the statement over, and then the task that sends it.
                let _ = futures_util::poll!(&mut answer);
                tokio::task::yield_now().await;
            });
        }
    }

    fn failed(&self, error: tokio_postgres::Error) -> StatementError {
        if is_lost(&error) {
            self.is_lost.set(true);
        }
        error.into()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Waiting for its tasks would panic in a thread that must not block.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as _).collect()
}
