//! Writing a batch: one transaction, and one for each row when something in the batch does not fit.

use super::judge;
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
    /// The digest of that, as the source has it.
    pub digest: i64,
    /// The digest of that, as it is written.
    pub ours: i64,
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
const SET_HERE: &str = "new in the source, but set here already";
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
        return store.read(|db| batch.iter().map(|work| Ok((work.key, judged(db, noun, target, work)?.0))).collect());
    }
    let batch = Arc::new(hash(noun, batch)?);
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

/// Hashes what is written hashed, on all processors: that takes long on purpose.
fn hash(noun: &Noun, mut batch: Vec<Work>) -> Result<Vec<Work>, StoreError> {
    if noun.hashed.is_none() {
        return Ok(batch);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = batch.len().div_ceil(threads).max(1);
    let hash_all = |works: &mut [Work]| -> Result<(), StoreError> {
        works.iter_mut().try_for_each(|work| {
            noun.hash(&mut work.rows)?;
            work.ours = imported::digest(&work.rows);
            Ok(())
        })
    };
    std::thread::scope(|scope| {
        let shares: Vec<_> = batch.chunks_mut(share).map(|works| scope.spawn(|| hash_all(works))).collect();
        shares.into_iter().try_for_each(|share| share.join().unwrap_or(Err(StoreError::Closed)))
    })?;
    Ok(batch)
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
            let (mut outcome, now) = judged(db, noun, &target, work)?;
            match outcome {
                Outcome::Taken if target.place == Place::Row => {
                    for row in &work.rows {
                        // It may have been made since the numbers were read.
                        if !imported::insert(db, &target, work.key, row)? {
                            outcome = Outcome::Kept(OCCUPIED);
                        }
                    }
                }
                Outcome::Taken | Outcome::Updated => imported::put(db, &target, work.key, &work.rows)?,
                Outcome::Kept(_) | Outcome::Failed(_) => {}
            }
            if matches!(outcome, Outcome::Taken | Outcome::Updated) {
                imported::remember(db, noun.label, work.key, Remembered { source: work.digest, ours: work.ours })?;
                // What it belonged to until now, and what it belongs to from now on.
                now.iter().chain(&work.rows).for_each(|row| found.extend(found_by(noun, &target, work.key, row)));
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

/// Whether it may be written, and what is there now where that had to be looked at.
fn judged(db: &Read<'_>, noun: &Noun, target: &Target, work: &Work) -> Result<(Outcome, Vec<Vec<Value>>), StoreError> {
    if work.before.is_none() && target.place == Place::Row {
        return Ok((if work.exists { Outcome::Kept(OCCUPIED) } else { Outcome::Taken }, Vec::new()));
    }
    let now = imported::find(db, target, work.key)?;
    let digest = imported::digest(&now);
    let outcome = match work.before {
        Some(before) if before.ours == digest || digest == work.ours => Outcome::Updated,
        Some(_) if now.is_empty() && target.place != Place::Patch => Outcome::Kept(REMOVED),
        Some(_) => Outcome::Kept(EDITED),
        // Nobody has set it here, or everybody agrees.
        None if now.is_empty() || digest == work.ours => Outcome::Taken,
        None if target.place == Place::Patch && now == [judge::blank(noun)] => Outcome::Taken,
        None => Outcome::Kept(SET_HERE),
    };
    Ok((outcome, now))
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
        Found::Customized => {
            let place = target.columns.iter().position(|name| *name == "customized_type")?;
            let kind = match row.get(place) {
                Some(Value::Text(name)) if name == "Issue" => Kind::Issue,
                Some(Value::Text(name)) if name == "Project" => Kind::Project,
                Some(Value::Text(name)) if name == "Document" => Kind::Document,
                _ => return None,
            };
            Some((kind, number("customized_id")?))
        }
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
