//! Nodes: the processes that serve one database.

use jiff::Timestamp;

/// What a node has reported about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// A random text, chosen at the start of the process.
    pub id: String,
    /// The address at which it listens.
    pub address: String,
    /// The version of its program.
    pub version: String,
    /// Since when the others know it.
    pub joined_on: Timestamp,
    /// When it reported last, by its own clock.
    pub seen_on: Timestamp,
    /// The last change in its search index; `None` before it has one.
    pub indexed_change: Option<i64>,
    /// Whether it runs an import that was started in the browser.
    pub is_importing: bool,
}
