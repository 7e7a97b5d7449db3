//! The metadata of a commit of the index: which configuration, store and change the index reflects.

use std::fmt;

/// The metadata that is stored as the payload of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommitMeta {
    /// The fingerprint of the configuration with which the index was built.
    pub fingerprint: String,
    /// The index has all changes of the store up to this one.
    pub change: i64,
    /// The epoch of the store to which this change belongs. Another store has another epoch, and so
    /// has a copy that was changed separately.
    pub epoch: String,
}

impl CommitMeta {
    /// Parses a payload; `None` when it is not one of ours.
    pub fn parse(payload: &str) -> Option<CommitMeta> {
        let mut parts = payload
            .strip_prefix("quarry ")?
            .split(' ')
            .map(str::to_owned);
        let fingerprint = parts.next()?;
        let change = parts.next()?.parse().ok()?;
        let epoch = parts.next()?;
        parts.next().is_none().then_some(CommitMeta {
            fingerprint,
            change,
            epoch,
        })
    }
}

impl fmt::Display for CommitMeta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "quarry {} {} {}",
            self.fingerprint, self.change, self.epoch
        )
    }
}
