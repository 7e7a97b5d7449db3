//! A commit that can be found again on another connection.

/// The last commit of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// The connection; its id is random.
    pub(super) writer: String,
    /// The number of the commit on this connection.
    pub(super) number: i64,
}
