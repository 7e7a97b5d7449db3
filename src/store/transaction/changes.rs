//! The outbox: the last change of each record, by sequence number. The search index and the caches
//! follow these changes.

mod record;

pub use record::{record, record_all};

use super::snapshot::Snapshot;
use crate::StoreError;
use crate::engine::{Row, StatementError, Value};
use quarry_domain::index_feed::change::Change;
use quarry_domain::index_feed::kind::Kind;

/// Returns the sequence number of the last change; 0 when there is none.
pub fn last(db: &Snapshot<'_>) -> Result<i64, StoreError> {
    db.last_change().map_or_else(
        || db.query_i64("SELECT value FROM counters WHERE name = 'change'", &[]),
        Ok,
    )
}

/// The unary plus before `kind` keeps SQLite from using the index of kinds, which would read every
/// change of each kind.
const AFTER: &str =
    "SELECT seq, kind, id FROM changes WHERE seq > ?1 AND +kind IN ids(?3) ORDER BY seq LIMIT ?2";

/// Returns at most `limit` changes after `seq` in their order. A record that changed several times
/// appears once, with its last change.
pub fn after(db: &Snapshot<'_>, seq: i64, limit: usize) -> Result<Vec<Change>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    // A later version of the program may have written other kinds.
    let kinds = Kind::ALL.map(|kind| i64::from(kind.code()));
    let rows = db.rows(
        AFTER,
        &[seq.into(), limit.into(), Value::Ids(kinds.to_vec())],
        from_row,
    )?;
    Ok(rows.into_iter().flatten().collect())
}

/// Converts a row; `None` for an unknown type of record.
fn from_row(row: &Row<'_>) -> Result<Option<Change>, StatementError> {
    Ok(Some(Change {
        seq: row.next()?,
        kind: match u8::try_from(row.next::<i64>()?)
            .ok()
            .and_then(Kind::from_code)
        {
            Some(kind) => kind,
            None => return Ok(None),
        },
        id: row.next()?,
    }))
}

/// Changes per batch for caches of issues.
const BATCH: usize = 5_000;

/// Returns the ids of issues that have changed after `seq` up to `last`, in batches. `None` when a
/// cache must load everything again: when `seq` is `None`, and when there are more than
/// `max_changes` changes. The issues may be deleted.
pub(crate) fn issues_since(
    db: &Snapshot<'_>,
    seq: Option<i64>,
    last: i64,
    max_changes: i64,
) -> Result<Option<Vec<Vec<i64>>>, StoreError> {
    let Some(mut seq) = seq.filter(|seq| last - seq < max_changes) else {
        return Ok(None);
    };
    let mut batches = Vec::new();
    while seq < last {
        let changed = after(db, seq, BATCH)?;
        seq = if changed.len() < BATCH {
            last
        } else {
            changed.last().map_or(last, |change| change.seq)
        };
        let issues: Vec<i64> = changed
            .iter()
            .filter(|change| change.kind == Kind::Issue)
            .map(|change| change.id)
            .collect();
        if !issues.is_empty() {
            batches.push(issues);
        }
    }
    Ok(Some(batches))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use crate::Store;

    #[test]
    fn query_of_recent_changes_uses_the_index_by_seq() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let plan = store
            .read(|db| db.plan(AFTER, &[0.into(), 9.into(), Value::Ids(vec![0, 1])]))
            .unwrap()
            .join("\n");
        assert!(
            plan.contains("USING INDEX changes_by_seq (seq>?)")
                && !plan.contains("TEMP B-TREE FOR ORDER BY"),
            "{plan}"
        );
        store.close();
    }
}
