//! Why an import stops.

use super::source::SourceError;
use quarry_actions::ActionError;
use quarry_store::StoreError;

/// The import stopped. What was imported until then stays, and the next run continues from there.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The source cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Our database cannot be read or written.
    #[error(
        "{0}; what was imported so far stays, run the same command again when the problem is fixed"
    )]
    Store(StoreError),
    /// The data folder contains records that were not imported.
    #[error(
        "the data folder contains {0} that were not imported from a Redmine; import into a new folder"
    )]
    Occupied(&'static str),
    /// The data folder contains the records of another Redmine.
    #[error("another Redmine has been imported into this data folder; import into a new folder")]
    OtherSource,
    /// Its caller has cancelled it.
    #[error("the import was cancelled")]
    Cancelled,
    /// A setting was rejected.
    #[error(transparent)]
    Setting(#[from] ActionError),
}

// Written out: the message of the cause is part of ours and must not appear again as its source.
impl From<StoreError> for ImportError {
    fn from(error: StoreError) -> ImportError {
        ImportError::Store(error)
    }
}
