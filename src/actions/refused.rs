//! Why something was not done.

use crate::store::StoreError;

/// The reason. Whoever answers decides which status code that is.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// There is no such record.
    #[error("there is no such record")]
    NotFound,
    /// There may be such a record, but not for this viewer; or the viewer may not do this with it.
    #[error("not allowed")]
    Forbidden,
    /// The record would not be valid: one sentence a reason, in their order.
    #[error("{}", .0.join("; "))]
    Invalid(Vec<String>),
    /// The record has changed since the asker saw it: a sentence that says so, and what to do.
    #[error("{0}")]
    Conflict(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
