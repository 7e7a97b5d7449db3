//! What an index says of itself with each commit.

use std::fmt;

/// Kept as the payload of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Under which description the index was made.
    pub fingerprint: String,
    /// Every change of the store up to this number is in the index.
    pub change: i64,
    /// The token of the store's history to which this change belongs: another store, or a copy of it that went on by itself, has
    /// another one.
    pub history: String,
}

impl Mark {
    /// Reads a payload; `None` when it is not one of ours.
    pub fn read(payload: &str) -> Option<Mark> {
        let mut parts = payload.strip_prefix("quarry ")?.split(' ').map(str::to_owned);
        let (fingerprint, change, history) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
        parts.next().is_none().then_some(Mark { fingerprint, change, history })
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "quarry {} {} {}", self.fingerprint, self.change, self.history)
    }
}
