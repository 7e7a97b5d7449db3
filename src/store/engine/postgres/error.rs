//! Errors of PostgreSQL as errors of the engine.

use crate::engine::StatementError;
use std::error::Error;
use tokio_postgres::error::SqlState;

impl From<tokio_postgres::Error> for StatementError {
    fn from(error: tokio_postgres::Error) -> Self {
        let text = describe(&error);
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
            Some("23") => Self::Constraint(text),
            // Connection exceptions, shutdowns and too many connections.
            Some("08" | "57") => Self::Unavailable(text),
            _ if *code == SqlState::TOO_MANY_CONNECTIONS => Self::Unavailable(text),
            // A former primary that is a standby now.
            _ if *code == SqlState::READ_ONLY_SQL_TRANSACTION => Self::Unavailable(text),
            // The transaction waited too long for the next statement and was ended.
            _ if *code == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => Self::Unavailable(text),
            // Insufficient resources, such as a full disk, and errors of the system.
            Some("53" | "58") => Self::Disk(text),
            _ => Self::Engine(text),
        }
    }
}

/// Returns the message of the server, or of the driver with its cause.
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
                || *code == SqlState::READ_ONLY_SQL_TRANSACTION
                || *code == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
        }
    }
}
