//! The outbox: which record changed last, in which order. What mirrors the records follows these numbers.

use super::engine::Value;
use super::{Read, StoreError, Write};
use crate::domain::kind::Kind;

/// The latest change of a record. The record itself may be gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its number; later changes have larger ones.
    pub seq: i64,
    /// What the record is.
    pub kind: Kind,
    /// Which record it is.
    pub id: i64,
}

/// Records that something changed which can be found. Belongs into the transaction of the change.
pub fn record(db: &mut Write<'_>, kind: Kind, id: impl Into<i64>) -> Result<i64, StoreError> {
    db.next_change(kind, id.into())
}

/// The number of the last change; 0 when there was none.
pub fn last(db: &Read<'_>) -> Result<i64, StoreError> {
    db.last_change().map_or_else(|| db.number("SELECT value FROM counters WHERE name = 'change'", &[]), Ok)
}

/// The sign before the kind keeps the engine from looking it up: it would read every change there ever was of each kind.
const AFTER: &str = "SELECT seq, kind, id FROM changes WHERE seq > ?1 AND +kind IN ids(?3) ORDER BY seq LIMIT ?2";

/// The changes after `seq` in their order, at most `limit`. A record that changed again stands there once, with its latest.
pub fn after(db: &Read<'_>, seq: i64, limit: usize) -> Result<Vec<Change>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    // A later version of the program may have written kinds that are not known here.
    let known = Kind::ALL.map(|kind| i64::from(kind.code()));
    let rows = db.rows(AFTER, &[seq.into(), limit.into(), Value::Ids(known.to_vec())], |row| {
        Ok((row.read(0)?, row.read::<i64>(1)?, row.read(2)?))
    })?;
    Ok(rows.into_iter().filter_map(|(seq, kind, id)| Some(Change { seq, kind: kind_of(kind)?, id })).collect())
}

/// How many changes are read at once by whoever keeps something in memory beside the issues.
const PAGE: usize = 5_000;

/// The issues that have changed from one change to the `last`, in pages; `None` where everything is to be read anew, because nothing
/// has been read yet, or because there are more than `most` changes between. The issues may be gone.
pub(super) fn issues_since(db: &Read<'_>, seq: Option<i64>, last: i64, most: i64) -> Result<Option<Vec<Vec<i64>>>, StoreError> {
    let Some(mut seq) = seq.filter(|seq| last - seq < most) else { return Ok(None) };
    let mut pages = Vec::new();
    while seq < last {
        let changed = after(db, seq, PAGE)?;
        seq = if changed.len() < PAGE { last } else { changed.last().map_or(last, |change| change.seq) };
        let issues: Vec<i64> = changed.iter().filter(|change| change.kind == Kind::Issue).map(|change| change.id).collect();
        if !issues.is_empty() {
            pages.push(issues);
        }
    }
    Ok(Some(pages))
}

fn kind_of(code: i64) -> Option<Kind> {
    u8::try_from(code).ok().and_then(Kind::from_code)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn what_changed_lately_is_found_by_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let plan = store.read(|db| db.plan(AFTER, &[0.into(), 9.into(), Value::Ids(vec![0, 1])])).unwrap().join("\n");
        assert!(plan.contains("USING INDEX changes_by_seq (seq>?)") && !plan.contains("TEMP B-TREE FOR ORDER BY"), "{plan}");
        store.close();
    }
}
