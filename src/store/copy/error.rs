//! Errors of a copy.

use crate::StoreError;
use crate::engine::{OpenError, StatementError};
use std::path::Path;

/// A store cannot be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The source is empty.
    #[error("{0} has no records of Quarry")]
    NoRecords(String),
    /// The source has the schema of an earlier version.
    #[error("{0} was written by an earlier version of Quarry: start this version on it first")]
    OldVersion(String),
    /// The target has records.
    #[error("{0} is not empty: specify an empty database or a new folder with --to")]
    NotEmpty(String),
    /// A service has the target open.
    #[error("{0} is in use by a service; stop it first")]
    InUse(String),
    /// The data folder of the target has the secret of another store.
    #[error("{0} is the secret of another store: specify a new data folder with --to-data")]
    OtherSecret(String),
    /// The source and the target have different tables or columns.
    #[error(
        "the source and the target have different tables or columns: has another program changed the database?"
    )]
    SchemasDiffer,
    /// The rows of a table differ after the copy.
    #[error("the rows of the table {0} differ from those of the source; nothing was copied")]
    RowsDiffer(String),
    /// A store cannot be opened, read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<StatementError> for CopyError {
    fn from(error: StatementError) -> Self {
        CopyError::Store(error.into())
    }
}

impl From<OpenError> for CopyError {
    fn from(error: OpenError) -> Self {
        CopyError::Store(error.into())
    }
}

/// Returns the error of an operation on this file or folder.
pub(super) fn folder_error(path: &Path) -> impl FnOnce(std::io::Error) -> StoreError {
    let path = path.display().to_string();
    move |error| StoreError::Folder(path, error)
}
