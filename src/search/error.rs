//! What can go wrong in a search.

use super::mapping::BadMapping;
use super::shortage;
use crate::store::StoreError;
use tantivy::TantivyError;

/// The search cannot do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The index is being made; ask again later.
    #[error("the search index is not ready yet")]
    NotReady,
    /// Another process keeps this index.
    #[error("the index directory {0} is in use by another process")]
    InUse(String),
    /// Another process is making this index anew.
    #[error("the index is already being rebuilt")]
    Rebuilding,
    /// The rebuild was stopped before its end.
    #[error("the rebuild was stopped")]
    Stopped,
    /// The index was made under another description, or is not one of ours.
    #[error("the index was made under another index-schema")]
    Foreign,
    /// Files of the index are gone, cut short or altered.
    #[error("the search index is damaged")]
    Damaged,
    /// The question took longer than a question may.
    #[error(
        "q takes too long to answer (more than {0} milliseconds); ask for fewer or rarer words, or narrow it, for instance with project:"
    )]
    TooSlow(u64),
    /// The request had no time left.
    #[error("the search was stopped at the deadline of its request")]
    TimedOut,
    /// The engine broke down over an index that is sound.
    #[error("the search broke down: {0}")]
    BrokeDown(String),
    /// The engine failed.
    #[error("the search index failed: {0}")]
    Engine(#[from] TantivyError),
    /// The description of the index cannot be used.
    #[error(transparent)]
    Mapping(#[from] BadMapping),
    /// The directory cannot be used.
    #[error("the index directory failed: {0}")]
    Directory(#[from] std::io::Error),
    /// The records cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SearchError {
    /// Whether the machine ran short of file descriptors, memory or disk space. Such an error says nothing about the index:
    /// it is kept as it is, and what failed is tried again.
    pub(super) fn is_shortage(&self) -> bool {
        shortage::is_shortage(self)
    }

    /// Whether the engine reports that something failed without saying why.
    pub(super) fn hides_cause(&self) -> bool {
        matches!(self, SearchError::BrokeDown(_) | SearchError::Engine(TantivyError::ErrorInThread(_) | TantivyError::SystemError(_)))
    }
}
