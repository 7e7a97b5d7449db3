//! Converts errors of PostgreSQL into errors of the engine.

use crate::engine::StatementError;
use std::error::Error;
use tokio_postgres::error::SqlState;

impl From<tokio_postgres::Error> for StatementError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::from_driver(&error)
    }
}

impl StatementError {
    /// Converts an error of the driver.
    pub(super) fn from_driver(error: &tokio_postgres::Error) -> Self {
        let text = describe(error);
        let Some(code) = error.code() else {
            let is_conversion = error
                .source()
                .is_some_and(|source| !source.is::<std::io::Error>())
                && !error.is_closed();
            return if is_conversion {
                Self::Engine(text)
            } else {
                Self::Unavailable(text)
            };
        };
        match code.code().get(..2) {
            _ if *code == SqlState::QUERY_CANCELED => Self::TimedOut,
            // The server localizes its messages.
            Some("23") if *code == SqlState::FOREIGN_KEY_VIOLATION => {
                Self::Constraint(format!("foreign key: {text}"))
            }
            Some("23") => Self::Constraint(text),
            // Connection exceptions and shutdowns.
            Some("08" | "57") => Self::Unavailable(text),
            // Serialization failures, and deadlocks with other programs.
            Some("40") => Self::Unavailable(text),
            _ if *code == SqlState::LOCK_NOT_AVAILABLE => Self::Unavailable(text),
            _ if ends_session(error) => Self::Unavailable(text),
            _ if *code == SqlState::DISK_FULL => Self::Disk(text),
            // Too many connections, too little memory.
            Some("53") => Self::Unavailable(text),
            // Errors of the operating system, such as I/O errors.
            Some("58") => Self::Disk(text),
            _ => Self::Engine(text),
        }
    }
}

/// Whether the server has ended the transaction, or accepts no more statements of this session.
fn ends_session(error: &tokio_postgres::Error) -> bool {
    // A migration has changed the columns of a prepared statement. The server localizes the
    // message, so the routine identifies it.
    let is_outdated = error
        .as_db_error()
        .is_some_and(|error| error.routine() == Some("RevalidateCachedQuery"));
    is_outdated
        || error.code().is_some_and(|code| {
            [
                // A primary has become a standby.
                SqlState::READ_ONLY_SQL_TRANSACTION,
                // The transaction waited too long for the next statement.
                SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                // The statement that sets a savepoint was cancelled: the savepoint does not exist.
                SqlState::S_E_INVALID_SPECIFICATION,
                // A prepared statement is unknown: a connection pooler has changed the session.
                SqlState::INVALID_SQL_STATEMENT_NAME,
            ]
            .contains(code)
        })
}

/// Returns the message of the server, otherwise that of the driver with its cause.
pub(super) fn describe(error: &tokio_postgres::Error) -> String {
    if let Some(answer) = error.as_db_error() {
        let detail = answer.detail().unwrap_or_default();
        return format!("{} {detail}", answer.message())
            .trim_end()
            .to_owned();
    }
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// Whether the connection cannot be used after this error.
pub(super) fn is_lost(error: &tokio_postgres::Error) -> bool {
    match error.code() {
        None => {
            error.is_closed()
                || error
                    .source()
                    .is_none_or(|source| source.is::<std::io::Error>())
        }
        Some(code) => {
            let is_cancelled = *code == SqlState::QUERY_CANCELED;
            matches!(code.code().get(..2), Some("08" | "57")) && !is_cancelled
                || ends_session(error)
        }
    }
}
