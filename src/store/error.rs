//! What can go wrong in the store.

use super::engine::{OpenError, StatementError};

/// The store cannot do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The data folder cannot be made or read.
    #[error("{0}: {1}")]
    Folder(String, std::io::Error),
    /// The secret of the data folder cannot be used.
    #[error("the secret of the data folder: {0}")]
    Secret(String),
    /// There are records, but not the secret under which their keys are sealed.
    #[error(
        "{0} is missing although the folder holds records: put it back from the backup; if it is lost, `quarry secret reset` makes a new \
         one, and every API key must then be made again"
    )]
    NoSecret(String),
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A statement failed.
    #[error(transparent)]
    Statement(#[from] StatementError),
    /// A record says something that cannot be.
    #[error("{table} {id}: {problem}")]
    Record {
        /// The table of the record.
        table: &'static str,
        /// The number of the record.
        id: i64,
        /// What cannot be.
        problem: String,
    },
    /// The store has been closed, or the write broke down.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Whether the disk has no room left or cannot be written.
    pub fn is_of_disk(&self) -> bool {
        matches!(self, StoreError::Statement(StatementError::Disk(_)))
    }

    /// Whether a statement was stopped at its deadline.
    pub fn is_timeout(&self) -> bool {
        matches!(self, StoreError::Statement(StatementError::TimedOut))
    }

    /// Whether a condition of a table was broken, such as that a name is there once only.
    pub fn is_constraint(&self) -> bool {
        matches!(self, StoreError::Statement(StatementError::Constraint(_)))
    }
}
