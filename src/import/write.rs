//! Writes a batch: in one transaction, or one per row when a row violates a constraint.

use super::convert;
use super::table_mapping::{Reindex, TableMapping};
use quarry_domain::index_feed::kind::Kind;
use quarry_store::imported;
use quarry_store::imported::{RowDigests, Target, TargetRows};
use quarry_store::transaction::changes;
use quarry_store::{Read, Store, StoreError, Value, Write};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// What is to be written for one row or one set of the source.
pub struct PendingWrite {
    /// Id here.
    pub key: i64,
    pub rows: Vec<Vec<Value>>,
    /// Digest of the values as converted from the source.
    pub source_digest: i64,
    /// Digest of the values as they are written.
    pub our_digest: i64,
    /// Digests of the last import.
    pub before: Option<RowDigests>,
    /// Whether there is a record with this id.
    pub exists: bool,
}

/// Result of a write.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Imported for the first time.
    Taken,
    /// Updated.
    Updated,
    /// Ours was left alone, for this reason.
    Kept(&'static str),
    /// The row violates a constraint, with this message.
    Failed(String),
}

const EDITED: &str = "changed in the source, but ours was edited since";
const SET_HERE: &str = "new in the source, but already set here";
const DELETED: &str = "changed in the source, but ours was deleted since";
const ID_IN_USE: &str = "a record with this id was created here";

/// Writes a batch, or finds out what would be written.
pub fn write(
    store: &Store,
    mapping: &'static TableMapping,
    target: &Target,
    batch: Vec<PendingWrite>,
    dry_run: bool,
) -> Result<Vec<(i64, Outcome)>, StoreError> {
    if batch.is_empty() {
        return Ok(Vec::new());
    }
    if dry_run {
        return store.read(|db| {
            batch
                .iter()
                .map(|write| Ok((write.key, decide(db, mapping, target, write)?.0)))
                .collect()
        });
    }
    let batch = Arc::new(hash(mapping, batch)?);
    match write_range(store, mapping, target, &batch, 0..batch.len()) {
        Err(error) if error.is_constraint() => {
            let mut outcomes = Vec::with_capacity(batch.len());
            for (index, write) in batch.iter().enumerate() {
                match write_range(store, mapping, target, &batch, index..index + 1) {
                    Err(error) if error.is_constraint() => {
                        outcomes.push((write.key, Outcome::Failed(error.to_string())));
                    }
                    written => outcomes.extend(written?),
                }
            }
            Ok(outcomes)
        }
        outcomes => outcomes,
    }
}

/// Hashes the hashed column of a batch, on all CPUs because the hash is slow on purpose.
fn hash(
    mapping: &TableMapping,
    mut batch: Vec<PendingWrite>,
) -> Result<Vec<PendingWrite>, StoreError> {
    if mapping.hashed_column.is_none() {
        return Ok(batch);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let chunk_size = batch.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let threads: Vec<_> = batch
            .chunks_mut(chunk_size)
            .map(|chunk| scope.spawn(|| hash_chunk(mapping, chunk)))
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or(Err(StoreError::Closed)))
    })?;
    Ok(batch)
}

fn hash_chunk(mapping: &TableMapping, chunk: &mut [PendingWrite]) -> Result<(), StoreError> {
    for write in chunk {
        mapping.hash(&mut write.rows)?;
        write.our_digest = imported::digest(&write.rows);
    }
    Ok(())
}

fn write_range(
    store: &Store,
    mapping: &'static TableMapping,
    target: &Target,
    batch: &Arc<Vec<PendingWrite>>,
    range: Range<usize>,
) -> Result<Vec<(i64, Outcome)>, StoreError> {
    let batch = Arc::clone(batch);
    let target = target.clone();
    store.write(move |db| {
        let mut outcomes = Vec::with_capacity(range.len());
        let mut records = BTreeSet::new();
        for write in &batch[range] {
            let (mut outcome, now) = decide(db, mapping, &target, write)?;
            match outcome {
                Outcome::Taken if target.rows == TargetRows::Row => {
                    for row in &write.rows {
                        if let Some(provisional) = mapping.provisional {
                            (provisional.make_way)(db, write.key, row)?;
                        }
                        // A record may have been created since the ids were read.
                        if !imported::insert(db, &target, write.key, row)? {
                            outcome = Outcome::Kept(ID_IN_USE);
                        }
                    }
                }
                Outcome::Taken | Outcome::Updated => {
                    imported::update(db, &target, write.key, &write.rows)?;
                    mapping.write_hash_change(db, write.key, &now, &write.rows)?;
                }
                Outcome::Kept(_) | Outcome::Failed(_) => {}
            }
            if matches!(outcome, Outcome::Taken | Outcome::Updated) {
                let digests = RowDigests {
                    source: write.source_digest,
                    ours: write.our_digest,
                };
                imported::set_digests(db, mapping.label, write.key, digests)?;
                // Both the record that the row belonged to until now and the one that it belongs to
                // from now on.
                now.iter().chain(&write.rows).for_each(|row| {
                    records.extend(reindexed_record(mapping, &target, write.key, row))
                });
            }
            outcomes.push((write.key, outcome));
        }
        let is_changed = outcomes
            .iter()
            .any(|(_, outcome)| matches!(outcome, Outcome::Taken | Outcome::Updated));
        for (kind, id) in records {
            changes::record(db, kind, id)?;
        }
        if mapping.in_catalogue && is_changed {
            imported::catalogue_changed(db)?;
        }
        Ok(outcomes)
    })
}

/// Returns what a write may do, and the present values where they had to be read.
fn decide(
    db: &Read<'_>,
    mapping: &TableMapping,
    target: &Target,
    write: &PendingWrite,
) -> Result<(Outcome, Vec<Vec<Value>>), StoreError> {
    if write.before.is_none() && target.rows == TargetRows::Row {
        return Ok((
            if write.exists {
                Outcome::Kept(ID_IN_USE)
            } else {
                Outcome::Taken
            },
            Vec::new(),
        ));
    }
    let now = imported::find(db, target, write.key)?;
    let digest = imported::digest(&now);
    let outcome = match write.before {
        Some(before) if before.ours == digest || digest == write.our_digest => Outcome::Updated,
        Some(_) if now.is_empty() && target.rows != TargetRows::Columns => Outcome::Kept(DELETED),
        Some(_) => Outcome::Kept(EDITED),
        // Not set here, or to the same values.
        None if now.is_empty() || digest == write.our_digest => Outcome::Taken,
        None if target.rows == TargetRows::Columns && now == [convert::empty_row(mapping)] => {
            Outcome::Taken
        }
        None => Outcome::Kept(SET_HERE),
    };
    Ok((outcome, now))
}

/// Returns the value of a column in a row of ours.
pub fn value_of<'r>(target: &Target, row: &'r [Value], column: &str) -> Option<&'r Value> {
    let index = target.columns.iter().position(|name| *name == column)?;
    row.get(index)
}

/// Returns the value of a column in a row of ours if it is an integer.
pub fn integer_of(target: &Target, row: &[Value], column: &str) -> Option<i64> {
    match value_of(target, row, column) {
        Some(Value::Int(number)) => Some(*number),
        _ => None,
    }
}

/// Returns the record that must be indexed again when a row of ours changes.
fn reindexed_record(
    mapping: &TableMapping,
    target: &Target,
    key: i64,
    row: &[Value],
) -> Option<(Kind, i64)> {
    match mapping.reindexes {
        Reindex::Nothing => None,
        Reindex::Own(kind) => Some((kind, key)),
        Reindex::Parent(kind, column) => Some((kind, integer_of(target, row, column)?)),
        Reindex::Customized => {
            let kind = match value_of(target, row, "customized_type") {
                Some(Value::Text(name)) if name == "Issue" => Kind::Issue,
                Some(Value::Text(name)) if name == "Project" => Kind::Project,
                Some(Value::Text(name)) if name == "Document" => Kind::Document,
                _ => return None,
            };
            Some((kind, integer_of(target, row, "customized_id")?))
        }
        Reindex::Container => {
            let code = integer_of(target, row, "container_kind")?;
            let kind = Kind::from_code(u8::try_from(code).ok()?)?;
            Some((kind, integer_of(target, row, "container_id")?))
        }
    }
}

/// Records that the records which depend on these rows must be indexed again.
pub fn record_changes(
    db: &mut Write<'_>,
    mapping: &TableMapping,
    target: &Target,
    key: i64,
    rows: &[Vec<Value>],
) -> Result<(), StoreError> {
    for row in rows {
        if let Some((kind, id)) = reindexed_record(mapping, target, key, row) {
            changes::record(db, kind, id)?;
        }
    }
    if mapping.in_catalogue {
        imported::catalogue_changed(db)
    } else {
        Ok(())
    }
}
