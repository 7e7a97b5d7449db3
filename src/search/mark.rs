//! What an index says of itself with each commit.

use std::fmt;

/// Kept as the payload of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Under which description the index was made.
    pub fingerprint: String,
    /// Every change of the store up to this number is in the index.
    pub change: i64,
}

impl Mark {
    /// Reads a payload; `None` when it is not one of ours.
    pub fn read(payload: &str) -> Option<Mark> {
        let (fingerprint, change) = payload.strip_prefix("quarry ")?.split_once(' ')?;
        Some(Mark { fingerprint: fingerprint.to_owned(), change: change.parse().ok()? })
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "quarry {} {}", self.fingerprint, self.change)
    }
}
