//! The error of an action.

use quarry_domain::access::viewer::Viewer;
use quarry_domain::validation::{ValidationError, ValidationErrors};
use quarry_store::StoreError;

/// The message about an issue that has changed since the viewer loaded it.
pub const OUTDATED: &str = "Lock version is out of date: the issue has been changed meanwhile; read it again and repeat the change";

/// Why an action failed. `http` maps it to a status code. The documentation of an action names only
/// what does not follow from its name and from these variants.
#[derive(Debug, thiserror::Error)]
pub enum ActionError {
    /// There is no such record, or the viewer may not know of it.
    #[error("there is no such record")]
    NotFound,
    /// The viewer may not see the record, or lacks the permission to do this with it.
    #[error("not allowed")]
    Forbidden,
    /// The record would be invalid, with a message for each invalid attribute.
    #[error("{}", .0.messages().join("; "))]
    Invalid(ValidationErrors),
    /// The issue has changed since the viewer loaded it (compatibility 6.4).
    #[error("{OUTDATED}")]
    Outdated,
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

    /// Returns the error of a change that is invalid for one reason, which concerns no single
    /// attribute.
    pub fn invalid(message: impl Into<String>) -> ActionError {
        ActionError::Invalid(ValidationError::for_record(message).into())
    }

    /// Returns the error of a change that is invalid for one attribute.
    pub fn invalid_attribute(attribute: &str, label: &str, message: &str) -> ActionError {
        ActionError::Invalid(ValidationError::new(attribute, label, message).into())
    }
}
