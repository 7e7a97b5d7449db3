//! Imported rows, written to any table: the importer gives table and columns.
//!
//! Names of tables and columns are constants of the program, never input. A row of the source
//! becomes a row with its own id ([`TargetRows::Row`]), some columns of an existing row
//! ([`TargetRows::Columns`]), or one of the rows of an owner that have no ids
//! ([`TargetRows::OwnedBy`]).

use super::engine::Value;
use super::{Read, StoreError, Write};
use crate::administration::nodes;
use crate::transaction::column_values::ColumnValues;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// Which rows of a table an imported row is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetRows {
    /// A row with its own `id`.
    Row,
    /// Some columns of an existing row.
    Columns,
    /// All rows with the id of the owner in this column.
    OwnedBy(&'static str),
}

/// The target of imported rows: a table, its rows and columns.
#[derive(Clone, Debug)]
pub struct Target {
    pub table: &'static str,
    /// How the rows are found.
    pub rows: TargetRows,
    /// The columns, without the key column.
    pub columns: Vec<&'static str>,
    /// Columns with constant values in new rows; updates leave them unchanged.
    pub insert_defaults: &'static [(&'static str, i64)],
}

/// Digests of the row of the source and of our row at its last import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowDigests {
    /// The digest of the row of the source, after conversion.
    pub source: i64,
    pub ours: i64,
}

/// Returns a digest of rows: the sum of their digests, so that their order does not matter.
pub fn digest(rows: &[Vec<Value>]) -> i64 {
    rows.iter()
        .map(|row| digest_row(row))
        .fold(0, i64::wrapping_add)
}

fn digest_row(row: &[Value]) -> i64 {
    let mut hasher = Sha256::new();
    for value in row {
        match value {
            Value::Null => hasher.update([0]),
            Value::Int(number) => hasher.update([&[1], number.to_le_bytes().as_slice()].concat()),
            Value::Real(number) => {
                hasher.update([&[2], number.to_bits().to_le_bytes().as_slice()].concat())
            }
            Value::Text(text) => {
                hasher.update([&[3], text.len().to_le_bytes().as_slice()].concat());
                hasher.update(text);
            }
            Value::Ids(ids) => ids.iter().for_each(|id| hasher.update(id.to_le_bytes())),
            Value::Bytes(bytes) | Value::Set(bytes) => hasher.update(bytes),
        }
    }
    let bytes: [u8; 32] = hasher.finalize().into();
    bytes
        .iter()
        .take(8)
        .fold(0, |digest, byte| digest << 8 | i64::from(*byte))
}

/// Returns the digests of all rows that were imported from a table of the source, by id.
pub fn list_digests(db: &Read<'_>, label: &str) -> Result<HashMap<i64, RowDigests>, StoreError> {
    let sql = "SELECT id, source_digest, ours_digest FROM imported WHERE source_table = ?1";
    let rows = db.rows(sql, &[label.into()], |row| {
        Ok((
            row.next()?,
            RowDigests {
                source: row.next()?,
                ours: row.next()?,
            },
        ))
    })?;
    Ok(rows.into_iter().collect())
}

/// Whether any row was ever imported.
pub fn has_any(db: &Read<'_>) -> Result<bool, StoreError> {
    Ok(!db
        .column::<i64>("SELECT id FROM imported LIMIT 1", &[])?
        .is_empty())
}

/// Whether the first import has begun and is not complete, even if the process ended meanwhile.
pub fn is_incomplete(db: &Read<'_>) -> Result<bool, StoreError> {
    let sql = "SELECT value FROM counters WHERE name = 'incomplete_import'";
    Ok(db.column::<i64>(sql, &[])?.contains(&1))
}

/// Stores whether the first import has begun and is not complete. All processes know it with their
/// next request: it is in the catalogue.
pub fn set_incomplete(db: &mut Write<'_>, is_incomplete: bool) -> Result<(), StoreError> {
    db.suspend_catalogue_audit();
    db.unaudited_catalogue_changed()?;
    db.execute(
        "INSERT INTO counters (name, value) VALUES ('incomplete_import', ?1) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        &[i64::from(is_incomplete).into()],
    )?;
    Ok(())
}

/// Forgets an import that has stopped before its first row, unless a node is about to import it: the
/// installation is new again.
pub fn forget_unstarted(db: &mut Write<'_>) -> Result<(), StoreError> {
    let is_unstarted = is_incomplete(db)? && !has_any(db)?;
    if is_unstarted && !nodes::list(db)?.iter().any(|node| node.is_importing) {
        set_incomplete(db, false)?;
    }
    Ok(())
}

/// Stores the digests of an imported row.
pub fn set_digests(
    db: &mut Write<'_>,
    label: &str,
    id: i64,
    digests: RowDigests,
) -> Result<(), StoreError> {
    let columns = ColumnValues::new()
        .set("source_table", label)
        .set("id", id)
        .set("source_digest", digests.source)
        .set("ours_digest", digests.ours);
    let mut sql = columns.insert_into("imported");
    sql.push(
        " ON CONFLICT (source_table, id) DO UPDATE SET source_digest = excluded.source_digest, ours_digest = excluded.ours_digest",
    );
    db.execute(sql.text(), sql.values()).map(drop)
}

/// Deletes the digests of an imported row.
pub fn delete_digests(db: &mut Write<'_>, label: &str, id: i64) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM imported WHERE source_table = ?1 AND id = ?2",
        &[label.into(), id.into()],
    )?;
    Ok(())
}

/// Returns the ids of all rows of a table.
pub fn ids(db: &Read<'_>, table: &'static str) -> Result<HashSet<i64>, StoreError> {
    Ok(db
        .column::<i64>(&format!("SELECT id FROM {table}"), &[])?
        .into_iter()
        .collect())
}

/// Returns how many rows a table has.
pub fn count(db: &Read<'_>, table: &'static str) -> Result<i64, StoreError> {
    db.query_i64(&format!("SELECT COUNT(*) FROM {table}"), &[])
}

/// Returns the current rows of the target; empty when there are none.
pub fn find(db: &Read<'_>, target: &Target, key: i64) -> Result<Vec<Vec<Value>>, StoreError> {
    let columns = target.columns.join(", ");
    let owner = target.key();
    let sql = format!("SELECT {columns} FROM {} WHERE {owner} = ?1", target.table);
    db.rows(&sql, &[key.into()], |row| {
        target.columns.iter().map(|_| row.next()).collect()
    })
}

/// Replaces the rows of the target. Does not insert a missing row with its own id; [`insert`] does.
pub fn update(
    db: &mut Write<'_>,
    target: &Target,
    key: i64,
    rows: &[Vec<Value>],
) -> Result<(), StoreError> {
    match target.rows {
        TargetRows::Row | TargetRows::Columns => rows.iter().try_for_each(|row| {
            db.update_record(target.table, key, target.column_values(row))
                .map(drop)
        }),
        TargetRows::OwnedBy(owner) => {
            db.execute(
                &format!("DELETE FROM {} WHERE {owner} = ?1", target.table),
                &[key.into()],
            )?;
            rows.iter().try_for_each(|row| {
                let columns = target.column_values(row).set(owner, key);
                db.insert_row(target.table, columns)
            })
        }
    }
}

/// Inserts a row with its own id. Returns `false`, and changes nothing, when a row with this id
/// exists.
pub fn insert(
    db: &mut Write<'_>,
    target: &Target,
    key: i64,
    row: &[Value],
) -> Result<bool, StoreError> {
    let columns = target
        .insert_defaults
        .iter()
        .fold(target.column_values(row), |columns, (name, value)| {
            columns.set(name, *value)
        })
        .set("id", key);
    let mut sql = columns.insert_into(target.table);
    sql.push(" ON CONFLICT (id) DO NOTHING");
    let is_new = db.execute(sql.text(), sql.values())? > 0;
    if is_new {
        db.continue_ids_after(target.table, key)?;
    }
    Ok(is_new)
}

/// Deletes the rows of the target. Not for [`TargetRows::Columns`], which has no row of its own.
pub fn delete(db: &mut Write<'_>, target: &Target, key: i64) -> Result<(), StoreError> {
    db.execute(
        &format!("DELETE FROM {} WHERE {} = ?1", target.table, target.key()),
        &[key.into()],
    )
    .map(drop)
}

/// Deletes all rows of these tables, the last table first, to replace the default data.
pub fn clear(db: &mut Write<'_>, tables: &[&'static str]) -> Result<(), StoreError> {
    tables
        .iter()
        .rev()
        .try_for_each(|table| db.execute(&format!("DELETE FROM {table}"), &[]).map(drop))?;
    db.suspend_catalogue_audit();
    db.unaudited_catalogue_changed()
}

/// Marks the catalogue as changed.
pub fn catalogue_changed(db: &mut Write<'_>) -> Result<(), StoreError> {
    db.suspend_catalogue_audit();
    db.unaudited_catalogue_changed()
}

/// Returns the creation times of imported rows, by id.
pub fn created_on(db: &Read<'_>, table: &'static str) -> Result<HashMap<i64, i64>, StoreError> {
    let sql = format!(
        "SELECT t.id, t.created_on FROM {table} t JOIN imported i ON i.source_table = ?1 AND i.id = t.id"
    );
    Ok(db
        .rows(&sql, &[table.into()], |row| Ok((row.next()?, row.next()?)))?
        .into_iter()
        .collect())
}

/// Stores the digest of the copied content of an attachment.
pub fn set_content(db: &mut Write<'_>, attachment: i64, sha256: &str) -> Result<(), StoreError> {
    db.execute(
        "UPDATE attachments SET content_sha256 = ?2 WHERE id = ?1",
        &[attachment.into(), sha256.into()],
    )
    .map(drop)
}

/// An imported attachment whose content has not been copied.
pub struct MissingContent {
    pub id: i64,
    /// The folder below the `files` folder of the source.
    pub directory: String,
    /// The file name in that folder.
    pub filename: String,
    /// The expected digest of the content: SHA-256, or MD5 of old versions; empty when unknown.
    pub digest: String,
    /// The size in bytes; 0 when unknown.
    pub filesize: i64,
}

/// Returns the imported attachments whose contents have not been copied.
pub fn list_missing_content(db: &Read<'_>) -> Result<Vec<MissingContent>, StoreError> {
    let sql = "SELECT id, COALESCE(disk_directory, ''), disk_filename, digest, filesize FROM attachments \
               WHERE content_sha256 IS NULL AND disk_filename <> '' ORDER BY id";
    db.rows(sql, &[], |row| {
        Ok(MissingContent {
            id: row.next()?,
            directory: row.next()?,
            filename: row.next()?,
            digest: row.next()?,
            filesize: row.next()?,
        })
    })
}

impl Target {
    fn key(&self) -> &'static str {
        match self.rows {
            TargetRows::Row | TargetRows::Columns => "id",
            TargetRows::OwnedBy(owner) => owner,
        }
    }

    fn column_values(&self, row: &[Value]) -> ColumnValues {
        self.columns
            .iter()
            .zip(row)
            .fold(ColumnValues::new(), |columns, (name, value)| {
                columns.set(name, value.clone())
            })
    }
}
