//! The database engines: the only folder that says rusqlite.
//!
//! The rest of the store writes portable SQL with numbered parameters (`?1`); what differs between engines (identity
//! columns, lists of ids, pragmas, locking) is spelled here alone.

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
pub use writer::{Gone, Keeper, Writer};

/// A statement failed.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// A condition of a table was broken; the text names table and column.
    #[error("constraint broken: {0}")]
    Constraint(String),
    /// The disk is full or the file cannot be written.
    #[error("the disk is full or not writable: {0}")]
    Disk(String),
    /// A column held something else than was asked for.
    #[error("column {column}: {problem}")]
    Column {
        /// Its place in the row, from 0.
        column: usize,
        /// What was wrong.
        problem: String,
    },
    /// The statement was stopped at its deadline.
    #[error("the statement took too long")]
    TimedOut,
    /// Anything else that the engine says.
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
                    ErrorCode::DiskFull | ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::SystemIoFailure => Self::Disk(text),
                    _ => Self::Engine(text),
                }
            }
            _ => Self::Engine(error.to_string()),
        }
    }
}

/// The text of a migration with the engine's own words put in for `{id}` (a primary key whose numbers are never given out
/// twice).
pub fn spell(migration: &str) -> String {
    migration.replace("{id}", "INTEGER PRIMARY KEY AUTOINCREMENT")
}
