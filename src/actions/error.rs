//! Why something was not done.

use crate::store::StoreError;

/// Why an action was refused. `http` maps it to a status code.
#[derive(Debug, thiserror::Error)]
pub enum ActionError {
    /// There is no such record.
    #[error("there is no such record")]
    NotFound,
    /// There may be such a record, but not for this viewer; or the viewer may not do this with it.
    #[error("not allowed")]
    Forbidden,
    /// The record would not be valid: one sentence a reason, in their order.
    #[error("{}", .0.join("; "))]
    Invalid(Vec<String>),
    /// The record has changed since the viewer loaded it: a sentence that says so, and what to do.
    #[error("{0}")]
    Conflict(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
