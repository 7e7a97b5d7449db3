//! Why a mail cannot be written.

use quarry_actions::ActionError;
use quarry_store::StoreError;

/// Why a mail cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The records cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The mail itself is wrong.
    #[error("the mail cannot be written: {0}")]
    Content(String),
}

impl From<ActionError> for RenderError {
    fn from(error: ActionError) -> RenderError {
        match error {
            ActionError::Store(error) => RenderError::Store(error),
            error => RenderError::Content(error.to_string()),
        }
    }
}
