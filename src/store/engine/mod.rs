//! The database engine: the only module that uses rusqlite.
//!
//! The rest of the store writes portable SQL with numbered parameters (`?1`). What differs between
//! engines (identity columns, lists of ids, pragmas, locking) is translated here.

mod checkpoint;
mod connection;
mod deadline;
mod ids;
mod pool;
mod row;
mod value;
mod writer;

pub use connection::{Connection, OpenError};
pub use pool::Pool;
pub use row::{FromColumn, Row};
pub use value::Value;
pub use writer::{Owner, Writer, WriterClosed};

/// A statement failed.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// A constraint was violated; the text names table and column.
    #[error("constraint broken: {0}")]
    Constraint(String),
    /// The disk is full or the file cannot be written.
    #[error("the disk is full or not writable: {0}")]
    Disk(String),
    /// A column has a value of another type than expected.
    #[error("column {column}: {problem}")]
    Column {
        /// The index of the column in the row, from 0.
        column: usize,
        /// What is wrong.
        problem: String,
    },
    /// The statement was stopped at its deadline.
    #[error("the statement took too long")]
    TimedOut,
    /// Any other error of the engine.
    #[error("database: {0}")]
    Engine(String),
}

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

/// Replaces `{id}` in a migration by the engine's type of a primary key whose values are never
/// reused.
pub fn expand_migration(migration: &str) -> String {
    migration.replace("{id}", "INTEGER PRIMARY KEY AUTOINCREMENT")
}
