//! What is gone from the source goes from here too, unless it was edited here or something here still needs it.

use super::judge;
use super::noun::Noun;
use super::report::Report;
use super::write::record;
use crate::store::imported::{self, Place, Remembered, Target};
use crate::store::{Read, Store, StoreError, Value, Write};

/// Rows that were taken once and are no longer there.
pub struct Gone {
    /// What they are.
    pub noun: &'static Noun,
    /// Where they are kept.
    pub target: Target,
    /// Their numbers, and what they were.
    pub rows: Vec<(i64, Remembered)>,
}

enum Fate {
    Removed,
    Edited,
    GoneHere,
}

/// Removes them, what refers before what is referred to; `true` if anything was removed.
pub fn remove(store: &Store, gone: Vec<Gone>, dry_run: bool, report: &mut Report) -> Result<bool, StoreError> {
    let mut any = false;
    for Gone { noun, target, mut rows } in gone.into_iter().rev() {
        rows.sort_unstable_by_key(|(key, _)| *key);
        for (key, before) in rows {
            let fate =
                if dry_run { store.read(|db| fate(db, &target, key, before)) } else { remove_one(store, noun, &target, key, before) };
            match fate {
                Ok(Fate::Removed) => {
                    any = true;
                    report.of(noun.label).removed += 1;
                    report.problem(noun.label, key, "removed", "gone from the source");
                }
                Ok(Fate::Edited) => {
                    report.of(noun.label).kept += 1;
                    report.problem(noun.label, key, "kept ours", "gone from the source, but ours was edited since");
                }
                Ok(Fate::GoneHere) => {}
                Err(error) if error.is_constraint() => {
                    report.of(noun.label).kept += 1;
                    report.problem(noun.label, key, "kept ours", "gone from the source, but something here still belongs to it");
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(any)
}

fn fate(db: &Read<'_>, target: &Target, key: i64, before: Remembered) -> Result<Fate, StoreError> {
    let now = imported::find(db, target, key)?;
    Ok(if now.is_empty() && before.ours != imported::digest(&[]) {
        Fate::GoneHere
    } else if imported::digest(&now) == before.ours {
        Fate::Removed
    } else {
        Fate::Edited
    })
}

fn remove_one(store: &Store, noun: &'static Noun, target: &Target, key: i64, before: Remembered) -> Result<Fate, StoreError> {
    let target = target.clone();
    store.write(move |db| {
        let fate = fate(db, &target, key, before)?;
        match fate {
            Fate::Edited => {}
            Fate::GoneHere => imported::forget(db, noun.label, key)?,
            Fate::Removed => {
                let now = imported::find(db, &target, key)?;
                take_away(db, noun, &target, key)?;
                record(db, noun, &target, key, &now)?;
                imported::forget(db, noun.label, key)?;
            }
        }
        Ok(fate)
    })
}

/// A patch has nothing of its own: its columns are then as they are without a value.
fn take_away(db: &mut Write<'_>, noun: &Noun, target: &Target, key: i64) -> Result<(), StoreError> {
    match target.place {
        Place::Row | Place::Set(_) => imported::remove(db, target, key),
        Place::Patch => {
            let without = noun.fields.iter().map(|field| judge::without(field.or).unwrap_or(Value::Null)).collect();
            imported::put(db, target, key, &[without])
        }
    }
}
