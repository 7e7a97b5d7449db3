//! What can go wrong in a search.

use super::mapping::BadMapping;
use crate::store::StoreError;

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
    /// The engine failed.
    #[error("the search index failed: {0}")]
    Engine(#[from] tantivy::TantivyError),
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
