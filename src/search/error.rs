//! What can go wrong in a search.

use super::mapping::BadMapping;
use crate::store::StoreError;
use std::io::ErrorKind;

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
    /// The engine broke down over an index that is sound.
    #[error("the search broke down: {0}")]
    BrokeDown(String),
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

impl SearchError {
    /// Whether there was no room left on the disk, or a file could not grow.
    pub(super) fn is_full(&self) -> bool {
        let mut cause: Option<&dyn std::error::Error> = Some(self);
        while let Some(error) = cause {
            let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
            let shared = error.downcast_ref::<std::sync::Arc<std::io::Error>>().map(|error| error.kind());
            if let Some(ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded) = kind.or(shared) {
                return true;
            }
            cause = error.source();
        }
        false
    }
}
