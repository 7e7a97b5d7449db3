//! Writing a batch: one transaction, and one for each row when something in the batch does not fit.

use super::noun::{Found, Noun};
use crate::domain::kind::Kind;
use crate::store::imported::{self, Place, Remembered, Target};
use crate::store::{Read, Store, StoreError, Value, Write, changes};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is to be written for one row or one set of the source.
pub struct Work {
    /// The number of ours.
    pub key: i64,
    /// What is to be there.
    pub rows: Vec<Vec<Value>>,
    /// The digest of that.
    pub digest: i64,
    /// What was taken before.
    pub before: Option<Remembered>,
    /// Whether there is something with this number.
    pub exists: bool,
}

/// What became of it.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is new.
    Taken,
    /// It was changed.
    Updated,
    /// Ours stayed as it is, for this reason.
    Kept(&'static str),
    /// It does not fit, for this reason.
    Failed(String),
}

const EDITED: &str = "changed in the source, but ours was edited since";
const REMOVED: &str = "changed in the source, but ours was removed since";
const OCCUPIED: &str = "a record with this number was made here";

/// Writes them, or finds out what would be written.
pub fn write(
    store: &Store,
    noun: &'static Noun,
    target: &Target,
    batch: Vec<Work>,
    dry_run: bool,
) -> Result<Vec<(i64, Outcome)>, StoreError> {
    if batch.is_empty() {
        return Ok(Vec::new());
    }
    if dry_run {
        return store.read(|db| batch.iter().map(|work| Ok((work.key, judged(db, target, work)?))).collect());
    }
    let batch = Arc::new(batch);
    let whole = write_some(store, noun, target, &batch, 0, batch.len());
    match whole {
        Err(error) if error.is_constraint() => {
            let one = |place: usize| match write_some(store, noun, target, &batch, place, place + 1) {
                Err(error) if error.is_constraint() => Ok((batch[place].key, error.into())),
                outcome => outcome.map(|mut outcomes| outcomes.swap_remove(0)),
            };
            (0..batch.len()).map(one).collect()
        }
        whole => whole,
    }
}

fn write_some(
    store: &Store,
    noun: &'static Noun,
    target: &Target,
    batch: &Arc<Vec<Work>>,
    from: usize,
    to: usize,
) -> Result<Vec<(i64, Outcome)>, StoreError> {
    let (batch, target) = (Arc::clone(batch), target.clone());
    store.write(move |db| {
        let (mut outcomes, mut found) = (Vec::with_capacity(to - from), BTreeSet::new());
        for work in &batch[from..to] {
            let outcome = judged(db, &target, work)?;
            if matches!(outcome, Outcome::Taken | Outcome::Updated) {
                imported::put(db, &target, work.key, &work.rows)?;
                imported::remember(db, noun.label, work.key, Remembered { source: work.digest, ours: work.digest })?;
                work.rows.iter().for_each(|row| found.extend(found_by(noun, &target, work.key, row)));
            }
            outcomes.push((work.key, outcome));
        }
        let is_changed = outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Taken | Outcome::Updated));
        for (kind, id) in found {
            changes::record(db, kind, id)?;
        }
        if noun.names && is_changed {
            imported::names_changed(db)?;
        }
        Ok(outcomes)
    })
}

/// Whether it may be written.
fn judged(db: &Read<'_>, target: &Target, work: &Work) -> Result<Outcome, StoreError> {
    let Some(before) = work.before else {
        return Ok(if work.exists && target.place == Place::Row { Outcome::Kept(OCCUPIED) } else { Outcome::Taken });
    };
    let now = imported::find(db, target, work.key)?;
    Ok(if imported::digest(&now) == before.ours {
        Outcome::Updated
    } else if now.is_empty() && target.place != Place::Patch {
        Outcome::Kept(REMOVED)
    } else {
        Outcome::Kept(EDITED)
    })
}

/// What can be found by a row of ours, so that whatever mirrors it follows.
pub fn found_by(noun: &Noun, target: &Target, key: i64, row: &[Value]) -> Option<(Kind, i64)> {
    let number = |column: &str| {
        let place = target.columns.iter().position(|name| *name == column)?;
        match row.get(place) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        }
    };
    match noun.found {
        Found::Nothing => None,
        Found::Own(kind) => Some((kind, key)),
        Found::Of(kind, column) => Some((kind, number(column)?)),
        Found::Container => {
            let kind = u8::try_from(number("container_kind")?).ok().and_then(Kind::from_code)?;
            Some((kind, number("container_id")?))
        }
    }
}

/// Records that what can be found by these rows has changed.
pub fn record(db: &mut Write<'_>, noun: &Noun, target: &Target, key: i64, rows: &[Vec<Value>]) -> Result<(), StoreError> {
    for row in rows {
        if let Some((kind, id)) = found_by(noun, target, key, row) {
            changes::record(db, kind, id)?;
        }
    }
    if noun.names { imported::names_changed(db) } else { Ok(()) }
}
