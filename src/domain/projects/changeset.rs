//! Changesets of repositories.

use crate::ids::UserId;
use jiff::Timestamp;

/// A changeset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changeset {
    pub id: i64,
    pub repository: i64,
    pub revision: String,
    /// The committer, as in the repository.
    pub committer: String,
    /// The user who is the committer, if known.
    pub user: Option<UserId>,
    pub committed_on: Timestamp,
    /// Its message.
    pub comments: String,
}

impl Changeset {
    /// Returns the first line of its message, at most 200 characters.
    pub fn subject(&self) -> String {
        let line = self.comments.lines().next().unwrap_or_default();
        line.chars().take(200).collect()
    }
}

/// A file that a changeset changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedPath {
    /// What was done with it: `A` added, `M` modified, `D` deleted, `R` replaced or renamed, `C`
    /// copied.
    pub action: String,
    pub path: String,
    /// The path that it was copied or renamed from.
    pub from_path: Option<String>,
}
