//! What is gone from the source goes from here too, unless it was edited here or something here still needs it.

use super::field::How;
use super::judge;
use super::noun::Noun;
use super::report::Report;
use super::write::record;
use crate::store::imported::{self, Place, Remembered, Target};
use crate::store::{Read, Store, StoreError, Value, Write};
use std::collections::BTreeSet;

/// Rows that were taken once and are no longer there.
pub struct Gone {
    /// What they are.
    pub noun: &'static Noun,
    /// Where they are kept.
    pub target: Target,
    /// Their numbers, and what they were.
    pub rows: Vec<(i64, Remembered)>,
}

/// Rows of ours by table.
type Rows = BTreeSet<(&'static str, i64)>;

/// How many are removed at once.
const BATCH: usize = 500;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Removed,
    Edited,
    Needed,
    GoneHere,
}

/// Removes them, what refers before what is referred to; `true` if anything was removed. What was edited here stays, with what
/// it belongs to and with what belongs to it.
pub fn remove(store: &Store, mut gone: Vec<Gone>, dry_run: bool, report: &mut Report) -> Result<bool, StoreError> {
    let mut stays = store.read(|db| needed(db, &gone))?;
    for Gone { noun, target, rows } in &mut gone {
        rows.sort_unstable_by_key(|(key, _)| *key);
        let staying = store.read(|db| staying(db, noun, target, rows, &mut stays))?;
        for key in &staying {
            kept(report, noun, *key, "gone from the source, but ours was edited since, or something that belongs with it");
        }
        rows.retain(|(key, _)| !staying.contains(key));
    }
    let mut any = false;
    for Gone { noun, target, rows } in gone.into_iter().rev() {
        for batch in rows.chunks(BATCH) {
            let fates = if dry_run {
                store
                    .read(|db| batch.iter().map(|(key, before)| fate(db, &target, *key, *before)).collect::<Result<Vec<_>, StoreError>>())?
            } else {
                remove_batch(store, noun, &target, batch)?
            };
            for ((key, _), fate) in batch.iter().zip(fates) {
                match fate {
                    Fate::Removed => {
                        any = true;
                        report.of(noun.label).removed += 1;
                        report.problem(noun.label, *key, "removed", "gone from the source");
                    }
                    Fate::Edited => kept(report, noun, *key, "gone from the source, but ours was edited since"),
                    Fate::Needed => kept(report, noun, *key, "gone from the source, but something here still belongs to it"),
                    Fate::GoneHere => {}
                }
            }
        }
    }
    Ok(any)
}

fn kept(report: &mut Report, noun: &Noun, key: i64, reason: &str) {
    report.of(noun.label).kept += 1;
    report.problem(noun.label, key, "kept ours", reason);
}

/// The rows that are gone there, but that something belongs to which was edited here.
fn needed(db: &Read<'_>, gone: &[Gone]) -> Result<Rows, StoreError> {
    let of_rows = gone.iter().filter(|gone| gone.target.place == Place::Row);
    let all: Rows = of_rows.flat_map(|gone| gone.rows.iter().map(|(key, _)| (gone.noun.table, *key))).collect();
    let mut needed = Rows::new();
    // What belongs comes after what it belongs to.
    for Gone { noun, target, rows } in gone.iter().rev() {
        for (key, before) in rows {
            let now = imported::find(db, target, *key)?;
            let is_needed = target.place == Place::Row && needed.contains(&(noun.table, *key));
            if is_needed || fate_of(&now, *before) == Fate::Edited {
                needed.extend(owners(noun, target, *key, &now).filter(|owner| all.contains(owner)));
            }
        }
    }
    Ok(needed)
}

/// Those of the rows that stay; `stays` has what stays of the tables before, and gets them too.
fn staying(db: &Read<'_>, noun: &Noun, target: &Target, rows: &[(i64, Remembered)], stays: &mut Rows) -> Result<BTreeSet<i64>, StoreError> {
    let mut staying = BTreeSet::new();
    for (key, before) in rows {
        let now = imported::find(db, target, *key)?;
        let is_row = target.place == Place::Row;
        let belongs = || owners(noun, target, *key, &now).any(|owner| stays.contains(&owner));
        let is_kept = match fate_of(&now, *before) {
            Fate::Edited => true,
            Fate::Removed => is_row && stays.contains(&(noun.table, *key)) || belongs(),
            Fate::Needed | Fate::GoneHere => false,
        };
        if is_kept {
            staying.insert(*key);
            if is_row {
                stays.insert((noun.table, *key));
            }
        }
    }
    Ok(staying)
}

/// What a row of ours belongs to: tables and numbers.
fn owners<'a>(noun: &'a Noun, target: &'a Target, key: i64, rows: &'a [Vec<Value>]) -> impl Iterator<Item = (&'static str, i64)> {
    let value = |row: &'a Vec<Value>, column: &str| row.get(target.columns.iter().position(|name| *name == column)?);
    let led = rows.iter().flat_map(move |row| {
        noun.fields.iter().filter_map(move |field| {
            let table = match field.how {
                How::Ref(table) => table,
                How::RefBy(column, tables) => {
                    let Some(Value::Text(name)) = value(row, column) else { return None };
                    tables.iter().find(|(known, _)| known == name)?.1
                }
                _ => return None,
            };
            let Some(Value::Int(number)) = value(row, field.to) else { return None };
            Some((table, *number))
        })
    });
    noun.owner.map(|owner| (owner, key)).into_iter().chain(led)
}

fn fate(db: &Read<'_>, target: &Target, key: i64, before: Remembered) -> Result<Fate, StoreError> {
    Ok(fate_of(&imported::find(db, target, key)?, before))
}

fn fate_of(now: &[Vec<Value>], before: Remembered) -> Fate {
    if now.is_empty() && before.ours != imported::digest(&[]) {
        Fate::GoneHere
    } else if imported::digest(now) == before.ours {
        Fate::Removed
    } else {
        Fate::Edited
    }
}

/// One transaction, and one for each when something in the batch is still needed.
fn remove_batch(store: &Store, noun: &'static Noun, target: &Target, batch: &[(i64, Remembered)]) -> Result<Vec<Fate>, StoreError> {
    match remove_some(store, noun, target, batch) {
        Err(error) if error.is_constraint() => {
            let one = |row: &(i64, Remembered)| match remove_some(store, noun, target, &[*row]) {
                Err(error) if error.is_constraint() => Ok(Fate::Needed),
                outcome => outcome.map(|fates| fates[0]),
            };
            batch.iter().map(one).collect()
        }
        outcome => outcome,
    }
}

fn remove_some(store: &Store, noun: &'static Noun, target: &Target, batch: &[(i64, Remembered)]) -> Result<Vec<Fate>, StoreError> {
    let (target, batch) = (target.clone(), batch.to_vec());
    store.write(move |db| batch.into_iter().map(|(key, before)| remove_one(db, noun, &target, key, before)).collect())
}

fn remove_one(db: &mut Write<'_>, noun: &Noun, target: &Target, key: i64, before: Remembered) -> Result<Fate, StoreError> {
    let fate = fate(db, target, key, before)?;
    match fate {
        Fate::Edited | Fate::Needed => {}
        Fate::GoneHere => imported::forget(db, noun.label, key)?,
        Fate::Removed => {
            let now = imported::find(db, target, key)?;
            take_away(db, noun, target, key)?;
            record(db, noun, target, key, &now)?;
            imported::forget(db, noun.label, key)?;
        }
    }
    Ok(fate)
}

/// A patch has nothing of its own: its columns are then as they are without a value.
fn take_away(db: &mut Write<'_>, noun: &Noun, target: &Target, key: i64) -> Result<(), StoreError> {
    match target.place {
        Place::Row | Place::Set(_) => imported::remove(db, target, key),
        Place::Patch => imported::put(db, target, key, &[judge::blank(noun)]),
    }
}
