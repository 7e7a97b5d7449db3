//! Writes to the outbox.

use crate::{StoreError, Write};
use quarry_domain::index_feed::kind::Kind;

/// Records a change of a searchable record. Call it in the transaction of the change. Returns its
/// sequence number.
pub fn record(db: &mut Write<'_>, kind: Kind, id: impl Into<i64>) -> Result<i64, StoreError> {
    db.record_change(kind, id.into())
}

/// Records that each of these records has changed.
pub fn record_all(
    db: &mut Write<'_>,
    kind: Kind,
    ids: impl IntoIterator<Item = impl Into<i64>>,
) -> Result<(), StoreError> {
    ids.into_iter()
        .try_for_each(|id| record(db, kind, id).map(drop))
}
