//! Sends statements to the server and waits for the responses.

use super::Connection;
use crate::engine::StatementError;
use crate::engine::postgres::error::is_lost;
use futures_util::future::join;
use std::pin::{Pin, pin};
use std::time::{Duration, Instant};
use tokio::time::{timeout, timeout_at};
use tokio_postgres::error::SqlState;

/// Maximum time of a statement without a deadline. The server may have stopped without closing the
/// connection, or its disk may hang.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(30);
/// How long the server may take to cancel a statement at its deadline: it does so between two rows. If it
/// takes longer, the connection is given up, so that the request is answered in time.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(1);

/// A response of the server that is being received.
type Answer<'a> = Pin<&'a mut dyn Future<Output = Result<(), tokio_postgres::Error>>>;

impl Connection {
    pub(super) fn send_pending(&self) -> Result<(), StatementError> {
        match self.take_pending() {
            Some(pending) => self.run(self.client.batch_execute(&pending)),
            None => Ok(()),
        }
    }

    /// Runs a statement. Pending statements are sent with it, in one round trip. If one of them
    /// fails, the transaction stays open, and the server refuses the statement: it never runs
    /// outside of its transaction.
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

    /// Waits for the response of the server. Cancels the statement at the deadline.
    pub(super) fn run<T>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StatementError> {
        let mut value = None;
        {
            let filling = pin!(async {
                value = Some(answer.await?);
                Ok(())
            });
            self.wait_for(filling)?;
        }
        value.ok_or_else(lost_error)
    }

    /// See [`Connection::run`]; compiled once for all types of responses.
    fn wait_for(&self, mut answer: Answer<'_>) -> Result<(), StatementError> {
        self.check_may_send()?;
        self.runtime.block_on(async {
            let deadline = self
                .deadline
                .get()
                .unwrap_or_else(|| Instant::now() + MAX_ANSWER_TIME);
            if let Ok(outcome) = timeout_at(deadline.into(), &mut answer).await {
                return outcome.map_err(|error| self.record_error(error));
            }
            // A commit may be waiting for the synchronous standby. Cancelling it would make it
            // succeed without the standby.
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
                    Err(self.record_error(error))
                }
                // The cancel request uses a connection of its own. It may arrive late, and would
                // then cancel the next statement of this connection.
                Ok(outcome) => {
                    self.is_lost.set(true);
                    Err(outcome.map_or_else(
                        |error| self.record_error(error),
                        |_| StatementError::TimedOut,
                    ))
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

    /// Sends a statement without waiting for the response.
    pub(super) fn send(&self, sql: &str) {
        let sent: Result<(), StatementError> = self.runtime.block_on(async {
            let mut answer = pin!(self.client.batch_execute(sql));
            // The first poll queues the statement; yielding lets the task of the connection send
            // it.
            let _ = futures_util::poll!(&mut answer);
            tokio::task::yield_now().await;
            Ok(())
        });
        // The next statement reports a failure.
        drop(sent);
    }

    /// Fails if no statement can be sent.
    fn check_may_send(&self) -> Result<(), StatementError> {
        if self.is_visiting.get() {
            return Err(StatementError::Engine(
                "a statement was run while rows of another one were being visited".to_owned(),
            ));
        }
        if self.is_lost.get() {
            Err(lost_error())
        } else {
            Ok(())
        }
    }

    /// Converts an error, and records that the transaction is aborted or the connection lost.
    pub(super) fn record_error(&self, error: tokio_postgres::Error) -> StatementError {
        if is_lost(&error) {
            self.is_lost.set(true);
        }
        if error.code().is_none() {
            return error.into();
        }
        let is_refused = error.code() == Some(&SqlState::IN_FAILED_SQL_TRANSACTION);
        let mut cause = self.abort_cause.borrow_mut();
        match &*cause {
            // It is refused because of the first one, whose error was ignored.
            Some(cause) if is_refused => cause.for_another_caller(),
            Some(_) => error.into(),
            // The end of the transaction before was sent without waiting for the answer, and was
            // cancelled.
            None if is_refused => {
                self.is_lost.set(true);
                StatementError::Unavailable("the last transaction has not ended".to_owned())
            }
            None => {
                *cause = Some(StatementError::from_driver(&error));
                error.into()
            }
        }
    }
}

fn lost_error() -> StatementError {
    StatementError::Unavailable("the connection is lost".to_owned())
}
