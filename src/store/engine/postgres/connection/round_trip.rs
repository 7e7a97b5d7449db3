//! Sends statements to the server, and waits for the answers.

use super::Connection;
use crate::engine::StatementError;
use crate::engine::postgres::error::is_lost;
use futures_util::future::join;
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio::time::{timeout, timeout_at};
use tokio_postgres::error::SqlState;

/// How long a statement without a deadline may take to answer. The server may have stopped without
/// closing the connection, or its disk may hang.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(30);
/// How long the server may take to stop a statement.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);

impl Connection {
    pub(super) fn send_pending(&self) -> Result<(), StatementError> {
        match self.take_pending() {
            Some(pending) => self.run(self.client.batch_execute(&pending)),
            None => Ok(()),
        }
    }

    /// Runs a statement. Those that are pending are sent with it, in one round trip. They never end
    /// a transaction that the statement belongs to: when one of them fails, the transaction remains
    /// open and refuses the statement.
    pub(in crate::engine::postgres) fn run_after_pending<T>(
        &self,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StatementError> {
        self.check_may_send()?;
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
    pub(super) fn run<T>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StatementError> {
        self.check_may_send()?;
        self.runtime.block_on(async {
            let mut answer = pin!(answer);
            let last_moment = self
                .deadline
                .get()
                .unwrap_or_else(|| Instant::now() + MAX_ANSWER_TIME);
            if let Ok(outcome) = timeout_at(last_moment.into(), &mut answer).await {
                return outcome.map_err(|error| self.failed(error));
            }
            // A commit waits for the synchronous standby. Cancelled, it would succeed without that.
            if self.is_committing.get() {
                self.is_lost.set(true);
                return Err(StatementError::Unavailable(
                    "the server does not answer a commit".to_owned(),
                ));
            }
            let stopped = timeout(CANCEL_TIMEOUT, async {
                self.server.cancel(&self.client.cancel_token()).await;
                answer.await
            });
            match stopped.await {
                Ok(Err(error)) if error.code() == Some(&SqlState::QUERY_CANCELED) => {
                    Err(self.failed(error))
                }
                // A request to cancel comes on a connection of its own. It may arrive late, and
                // would then stop the next statement of this one.
                Ok(outcome) => {
                    self.is_lost.set(true);
                    Err(outcome
                        .map_or_else(|error| self.failed(error), |_| StatementError::TimedOut))
                }
                Err(_) => {
                    self.is_lost.set(true);
                    Err(StatementError::Unavailable(
                        "the server does not answer".to_owned(),
                    ))
                }
            }
        })
    }

    /// Sends a statement whose answer nobody needs.
    pub(super) fn send(&self, sql: &str) {
        let sent: Result<(), StatementError> = self.runtime.block_on(async {
            let mut answer = pin!(self.client.batch_execute(sql));
            // Polled once to hand the statement over, and then the task that sends it.
            let _ = futures_util::poll!(&mut answer);
            tokio::task::yield_now().await;
            Ok(())
        });
        // A failure shows in the next statement.
        drop(sent);
    }

    /// Fails if no statement can be sent.
    fn check_may_send(&self) -> Result<(), StatementError> {
        if self.is_visiting.get() {
            return Err(StatementError::Engine(
                "a statement was run while the rows of another one are visited".to_owned(),
            ));
        }
        if self.is_lost.get() {
            Err(lost())
        } else {
            Ok(())
        }
    }

    pub(super) fn failed(&self, error: tokio_postgres::Error) -> StatementError {
        if error.code().is_some() {
            self.is_aborted.set(true);
        }
        if is_lost(&error) {
            self.is_lost.set(true);
        }
        error.into()
    }
}

fn lost() -> StatementError {
    StatementError::Unavailable("the connection is lost".to_owned())
}
