//! Changes of searchable records, which the search index and the caches follow.

use super::kind::Kind;

/// The last change of a record, which may be deleted since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The sequence number; later changes have larger ones.
    pub seq: i64,
    /// The type of the record.
    pub kind: Kind,
    /// The id of the record.
    pub id: i64,
}
