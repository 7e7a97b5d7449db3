//! Errors of the search.

use super::schema::config::ConfigError;
use super::shortage;
use quarry_store::StoreError;
use tantivy::TantivyError;

/// Why a search or the index fails.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The index is being built; try again later.
    #[error("the search index is not ready yet")]
    NotReady,
    /// Another process has the index open.
    #[error("the index directory {0} is in use by another process")]
    InUse(String),
    /// The index is already being rebuilt.
    #[error("the index is already being rebuilt")]
    Rebuilding,
    /// The rebuild was stopped early.
    #[error("the rebuild was stopped")]
    Stopped,
    /// The index has another configuration or belongs to another store.
    #[error("the index was built from other records, or with another index schema")]
    Incompatible,
    /// Files of the index are missing, truncated or altered.
    #[error("the search index is damaged")]
    Damaged,
    /// The search took longer than the limit in milliseconds.
    #[error("the search takes more than {0} milliseconds")]
    TooSlow(u64),
    /// The deadline of the request has passed.
    #[error("the search was stopped at the deadline of its request")]
    TimedOut,
    /// tantivy failed or panicked, although the index is not damaged.
    #[error("the search failed: {0}")]
    Internal(String),
    /// tantivy failed.
    #[error("the search index failed: {0}")]
    Tantivy(#[from] TantivyError),
    /// The configuration of the index is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The index directory cannot be used.
    #[error("the index directory failed: {0}")]
    Directory(#[from] std::io::Error),
    /// The records cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SearchError {
    /// Whether file descriptors, memory or disk space ran short. Such an error says nothing about
    /// the index: the index is kept, and the operation is tried again.
    pub(crate) fn is_shortage(&self) -> bool {
        shortage::is_shortage(self)
    }

    /// Whether tantivy reports a failure without its cause.
    pub(crate) fn hides_cause(&self) -> bool {
        matches!(
            self,
            SearchError::Internal(_)
                | SearchError::Tantivy(
                    TantivyError::ErrorInThread(_) | TantivyError::SystemError(_)
                )
        )
    }
}
