//! The error of an action.

use crate::domain::viewer::Viewer;
use crate::store::StoreError;

/// Why an action failed. `http` maps it to a status code.
#[derive(Debug, thiserror::Error)]
pub enum ActionError {
    /// There is no such record.
    #[error("there is no such record")]
    NotFound,
    /// The viewer may not see the record, or not do this with it.
    #[error("not allowed")]
    Forbidden,
    /// The record would be invalid: one message per error, in order.
    #[error("{}", .0.join("; "))]
    Invalid(Vec<String>),
    /// The record has changed since the viewer loaded it. The message tells what to do.
    #[error("{0}")]
    Conflict(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ActionError {
    /// Returns the error for a record that is missing or hidden: both look the same. Anonymous is
    /// asked to log in.
    pub fn missing(viewer: &Viewer) -> ActionError {
        if viewer.user.is_none() {
            ActionError::Forbidden
        } else {
            ActionError::NotFound
        }
    }

    /// Returns the error of a change that is invalid for one reason.
    pub fn invalid(message: impl Into<String>) -> ActionError {
        ActionError::Invalid(vec![message.into()])
    }
}
