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
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder has data that came from elsewhere.
    #[error("the data folder holds {0} that did not come from a Redmine; import into a fresh folder")]
    Occupied(&'static str),
    /// A setting was refused.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A file cannot be copied.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
}
