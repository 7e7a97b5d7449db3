//! A commit whose outcome can be looked up on another connection.

/// The last commit of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// The random id of the connection.
    pub(super) writer: String,
    /// Number of commits of this connection, including this one.
    pub(super) number: i64,
}
