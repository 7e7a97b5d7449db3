//! Deletes what is no longer in the source, unless it was edited here or something here still needs
//! it.

use super::convert;
use super::field::ColumnType;
use super::report::Report;
use super::table_mapping::TableMapping;
use super::write::{integer_of, record_changes, value_of};
use quarry_store::imported;
use quarry_store::imported::{RowDigests, Target, TargetRows};
use quarry_store::{Read, Store, StoreError, Value, Write};
use std::collections::BTreeSet;

/// Rows that were imported and are no longer in the source.
pub struct MissingRows {
    pub mapping: &'static TableMapping,
    /// Where they are stored.
    pub target: Target,
    /// Ids, and digests of the last import.
    pub rows: Vec<(i64, RowDigests)>,
}

/// Rows of ours: table and id.
type Rows = BTreeSet<(&'static str, i64)>;

/// Maximum number of rows deleted in one transaction.
const BATCH: usize = 500;

#[derive(Clone, Copy, PartialEq, Eq)]
enum RemovalOutcome {
    Removed,
    Edited,
    StillReferenced,
    AlreadyDeleted,
}

/// Deletes rows, referring rows before the rows they refer to; returns whether any was deleted.
/// Rows that were edited here stay, with the rows that they belong to and those that belong to
/// them.
pub fn remove_missing(
    store: &Store,
    mut missing: Vec<MissingRows>,
    dry_run: bool,
    report: &mut Report,
) -> Result<bool, StoreError> {
    let mut kept = store.read(|db| owners_of_edited(db, &missing))?;
    for MissingRows {
        mapping,
        target,
        rows,
    } in &mut missing
    {
        rows.sort_unstable_by_key(|(key, _)| *key);
        let kept_keys = store.read(|db| kept_rows(db, mapping, target, rows, &mut kept))?;
        for key in &kept_keys {
            report_kept(
                report,
                mapping,
                *key,
                "deleted in the source, but ours or a record that belongs with it was edited since",
            );
        }
        rows.retain(|(key, _)| !kept_keys.contains(key));
    }
    let mut is_any_removed = false;
    for MissingRows {
        mapping,
        target,
        rows,
    } in missing.into_iter().rev()
    {
        for batch in rows.chunks(BATCH) {
            let outcomes = if dry_run {
                store.read(|db| {
                    batch
                        .iter()
                        .map(|(key, before)| outcome(db, &target, *key, *before))
                        .collect::<Result<Vec<_>, StoreError>>()
                })?
            } else {
                remove_batch(store, mapping, &target, batch)?
            };
            for ((key, _), outcome) in batch.iter().zip(outcomes) {
                match outcome {
                    RemovalOutcome::Removed => {
                        is_any_removed = true;
                        report.counts(mapping.label).removed += 1;
                        report.add_problem(mapping.label, *key, "removed", "deleted in the source");
                    }
                    RemovalOutcome::Edited => report_kept(
                        report,
                        mapping,
                        *key,
                        "deleted in the source, but ours was edited since",
                    ),
                    RemovalOutcome::StillReferenced => {
                        report_kept(
                            report,
                            mapping,
                            *key,
                            "deleted in the source, but a record here still refers to it",
                        );
                    }
                    RemovalOutcome::AlreadyDeleted => {}
                }
            }
        }
    }
    Ok(is_any_removed)
}

fn report_kept(report: &mut Report, mapping: &TableMapping, key: i64, reason: &str) {
    report.counts(mapping.label).kept += 1;
    report.add_problem(mapping.label, key, "kept ours", reason);
}

/// Returns the missing rows that rows edited here belong to, directly or not.
fn owners_of_edited(db: &Read<'_>, missing: &[MissingRows]) -> Result<Rows, StoreError> {
    let of_rows = missing
        .iter()
        .filter(|missing| missing.target.rows == TargetRows::Row);
    let all: Rows = of_rows
        .flat_map(|missing| {
            missing
                .rows
                .iter()
                .map(|(key, _)| (missing.mapping.table, *key))
        })
        .collect();
    let mut needed = Rows::new();
    // Owners come first in the order of the tables.
    for MissingRows {
        mapping,
        target,
        rows,
    } in missing.iter().rev()
    {
        for (key, before) in rows {
            let now = imported::find(db, target, *key)?;
            let is_needed =
                target.rows == TargetRows::Row && needed.contains(&(mapping.table, *key));
            if is_needed || outcome_for(&now, *before) == RemovalOutcome::Edited {
                needed.extend(
                    owners(mapping, target, *key, &now).filter(|owner| all.contains(owner)),
                );
            }
        }
    }
    Ok(needed)
}

/// Returns the keys of the rows that stay, and adds them to `kept`, which has the kept rows of the
/// tables before.
fn kept_rows(
    db: &Read<'_>,
    mapping: &TableMapping,
    target: &Target,
    rows: &[(i64, RowDigests)],
    kept: &mut Rows,
) -> Result<BTreeSet<i64>, StoreError> {
    let mut keys = BTreeSet::new();
    for (key, before) in rows {
        let now = imported::find(db, target, *key)?;
        let is_row = target.rows == TargetRows::Row;
        let has_kept_owner =
            || owners(mapping, target, *key, &now).any(|owner| kept.contains(&owner));
        let is_kept = match outcome_for(&now, *before) {
            RemovalOutcome::Edited => true,
            RemovalOutcome::Removed => {
                is_row && kept.contains(&(mapping.table, *key)) || has_kept_owner()
            }
            RemovalOutcome::StillReferenced | RemovalOutcome::AlreadyDeleted => false,
        };
        if is_kept {
            keys.insert(*key);
            if is_row {
                kept.insert((mapping.table, *key));
            }
        }
    }
    Ok(keys)
}

/// Returns the tables and ids of the rows that rows of ours belong to.
fn owners<'a>(
    mapping: &'a TableMapping,
    target: &'a Target,
    key: i64,
    rows: &'a [Vec<Value>],
) -> impl Iterator<Item = (&'static str, i64)> {
    let referenced = rows.iter().flat_map(move |row| {
        mapping.fields.iter().filter_map(move |field| {
            let table = match field.column_type {
                ColumnType::Ref(table) => table,
                ColumnType::PolymorphicRef(column, tables) => {
                    let Some(Value::Text(name)) = value_of(target, row, column) else {
                        return None;
                    };
                    tables.iter().find(|(type_name, _)| type_name == name)?.1
                }
                _ => return None,
            };
            Some((table, integer_of(target, row, field.to)?))
        })
    });
    mapping
        .owner
        .map(|owner| (owner, key))
        .into_iter()
        .chain(referenced)
}

fn outcome(
    db: &Read<'_>,
    target: &Target,
    key: i64,
    before: RowDigests,
) -> Result<RemovalOutcome, StoreError> {
    Ok(outcome_for(&imported::find(db, target, key)?, before))
}

fn outcome_for(now: &[Vec<Value>], before: RowDigests) -> RemovalOutcome {
    if now.is_empty() && before.ours != imported::digest(&[]) {
        RemovalOutcome::AlreadyDeleted
    } else if imported::digest(now) == before.ours {
        RemovalOutcome::Removed
    } else {
        RemovalOutcome::Edited
    }
}

/// Deletes a batch in one transaction, or in one per row when a row is still referenced.
fn remove_batch(
    store: &Store,
    mapping: &'static TableMapping,
    target: &Target,
    batch: &[(i64, RowDigests)],
) -> Result<Vec<RemovalOutcome>, StoreError> {
    match remove_rows(store, mapping, target, batch) {
        Err(error) if error.is_constraint() => {
            let mut outcomes = Vec::with_capacity(batch.len());
            for row in batch {
                match remove_rows(store, mapping, target, &[*row]) {
                    Err(error) if error.is_constraint() => {
                        outcomes.push(RemovalOutcome::StillReferenced);
                    }
                    removed => outcomes.extend(removed?),
                }
            }
            Ok(outcomes)
        }
        outcomes => outcomes,
    }
}

fn remove_rows(
    store: &Store,
    mapping: &'static TableMapping,
    target: &Target,
    batch: &[(i64, RowDigests)],
) -> Result<Vec<RemovalOutcome>, StoreError> {
    let target = target.clone();
    let batch = batch.to_vec();
    store.write(move |db| {
        batch
            .into_iter()
            .map(|(key, before)| remove_row(db, mapping, &target, key, before))
            .collect()
    })
}

fn remove_row(
    db: &mut Write<'_>,
    mapping: &TableMapping,
    target: &Target,
    key: i64,
    before: RowDigests,
) -> Result<RemovalOutcome, StoreError> {
    let outcome = outcome(db, target, key, before)?;
    match outcome {
        RemovalOutcome::Edited | RemovalOutcome::StillReferenced => {}
        RemovalOutcome::AlreadyDeleted => imported::delete_digests(db, mapping.label, key)?,
        RemovalOutcome::Removed => {
            let now = imported::find(db, target, key)?;
            delete(db, mapping, target, key)?;
            record_changes(db, mapping, target, key, &now)?;
            imported::delete_digests(db, mapping.label, key)?;
        }
    }
    Ok(outcome)
}

/// Deletes a row or a set; resets the columns of a patch, whose row belongs to another mapping.
fn delete(
    db: &mut Write<'_>,
    mapping: &TableMapping,
    target: &Target,
    key: i64,
) -> Result<(), StoreError> {
    match target.rows {
        TargetRows::Row | TargetRows::OwnedBy(_) => imported::delete(db, target, key),
        TargetRows::Columns => imported::update(db, target, key, &[convert::empty_row(mapping)]),
    }
}
