//! Converts errors of SQLite into errors of the engine.

use crate::engine::StatementError;

impl From<rusqlite::Error> for StatementError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match &error {
            rusqlite::Error::SqliteFailure(failure, text) => {
                let text = text.clone().unwrap_or_else(|| failure.to_string());
                match failure.code {
                    ErrorCode::ConstraintViolation => Self::Constraint(text),
                    ErrorCode::OperationInterrupted => Self::TimedOut,
                    ErrorCode::DiskFull
                    | ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen
                    | ErrorCode::SystemIoFailure => Self::Disk(text),
                    _ => Self::Engine(text),
                }
            }
            _ => Self::Engine(error.to_string()),
        }
    }
}
