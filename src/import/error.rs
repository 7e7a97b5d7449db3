//! Why an import cannot go on.

use super::source::SourceError;
use crate::actions::Refused;
use crate::store::StoreError;

/// The import stopped. What was taken until then stays, and the next run goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The source cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Ours cannot be read or written.
    #[error("{0}; what was taken so far stays, run the same command again when that is mended")]
    Store(StoreError),
    /// The folder has data that came from elsewhere.
    #[error("the data folder holds {0} that did not come from a Redmine; import into a fresh folder")]
    Occupied(&'static str),
    /// Another Redmine has moved in.
    #[error("another Redmine has moved into this data folder; import into a fresh folder")]
    Other,
    /// A setting was refused.
    #[error(transparent)]
    Refused(#[from] Refused),
}

// Written out, because its sentence is part of ours and not to be said again as the cause.
impl From<StoreError> for ImportError {
    fn from(error: StoreError) -> ImportError {
        ImportError::Store(error)
    }
}
