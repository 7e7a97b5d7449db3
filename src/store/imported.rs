//! Rows that moved in from elsewhere, written as they come: which table and which columns is said by whoever brings them.
//!
//! The names of tables and columns are constants of the program, never input. What is a record of its own here is one row
//! under its number ([`Place::Row`]), some columns of a row that is there already ([`Place::Patch`]), or everything that hangs
//! on an owner and has no numbers of its own ([`Place::Set`]).

use super::engine::{StatementError, Value};
use super::{Read, StoreError, Write};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// Where something is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A row of its own, known by its `id`.
    Row,
    /// Some columns of a row that is there already.
    Patch,
    /// All rows with this value in the named column.
    Set(&'static str),
}

/// What is written: a table, how its rows are found, and the columns.
#[derive(Clone, Debug)]
pub struct Target {
    /// The table.
    pub table: &'static str,
    /// How its rows are found.
    pub place: Place,
    /// The columns, without the one by which the rows are found.
    pub columns: Vec<&'static str>,
    /// Columns that a new row gets besides, with their values; a later write leaves them alone.
    pub born_with: &'static [(&'static str, i64)],
}

/// What a row of the source and ours looked like when it was last taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The digest of what the source's row comes to here.
    pub source: i64,
    /// The digest of ours.
    pub ours: i64,
}

impl Remembered {
    /// What the source had is not known any more: whatever it has now, ours stays.
    pub const UNKNOWN: Remembered = Remembered { source: -1, ours: -1 };
}

/// A digest of values; of several rows their sum, so that the order of rows does not count.
pub fn digest(rows: &[Vec<Value>]) -> i64 {
    rows.iter().map(|row| digest_row(row)).fold(0, i64::wrapping_add)
}

fn digest_row(row: &[Value]) -> i64 {
    let mut hasher = Sha256::new();
    for value in row {
        match value {
            Value::Null => hasher.update([0]),
            Value::Int(number) => hasher.update([&[1], number.to_le_bytes().as_slice()].concat()),
            Value::Real(number) => hasher.update([&[2], number.to_bits().to_le_bytes().as_slice()].concat()),
            Value::Text(text) => {
                hasher.update([&[3], text.len().to_le_bytes().as_slice()].concat());
                hasher.update(text);
            }
            Value::Ids(ids) => ids.iter().for_each(|id| hasher.update(id.to_le_bytes())),
            Value::Set(bytes) => hasher.update(bytes),
        }
    }
    let bytes: [u8; 32] = hasher.finalize().into();
    bytes.iter().take(8).fold(0, |digest, byte| digest << 8 | i64::from(*byte))
}

/// Everything that was taken from a table of the source.
pub fn remembered(db: &Read<'_>, label: &str) -> Result<HashMap<i64, Remembered>, StoreError> {
    let sql = "SELECT id, source_digest, ours_digest FROM imported WHERE source_table = ?1";
    let rows = db.rows(sql, &[label.into()], |row| Ok((row.read(0)?, Remembered { source: row.read(1)?, ours: row.read(2)? })))?;
    Ok(rows.into_iter().collect())
}

/// The same for one row.
pub fn find_remembered(db: &Read<'_>, label: &str, id: i64) -> Result<Option<Remembered>, StoreError> {
    let sql = "SELECT source_digest, ours_digest FROM imported WHERE source_table = ?1 AND id = ?2";
    db.first(sql, &[label.into(), id.into()], |row| Ok(Remembered { source: row.read(0)?, ours: row.read(1)? }))
}

/// Whether anything was ever taken.
pub fn is_any(db: &Read<'_>) -> Result<bool, StoreError> {
    Ok(!db.column::<i64>("SELECT id FROM imported LIMIT 1", &[])?.is_empty())
}

/// Remembers what was taken.
pub fn remember(db: &mut Write<'_>, label: &str, id: i64, what: Remembered) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO imported (source_table, id, source_digest, ours_digest) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (source_table, id) DO UPDATE SET source_digest = excluded.source_digest, ours_digest = excluded.ours_digest",
        &[label.into(), id.into(), what.source.into(), what.ours.into()],
    )?;
    Ok(())
}

/// Forgets what was taken.
pub fn forget(db: &mut Write<'_>, label: &str, id: i64) -> Result<(), StoreError> {
    db.execute("DELETE FROM imported WHERE source_table = ?1 AND id = ?2", &[label.into(), id.into()])?;
    Ok(())
}

/// The numbers of all rows of a table.
pub fn numbers(db: &Read<'_>, table: &'static str) -> Result<HashSet<i64>, StoreError> {
    Ok(db.column::<i64>(&format!("SELECT id FROM {table}"), &[])?.into_iter().collect())
}

/// How many rows a table has.
pub fn count(db: &Read<'_>, table: &'static str) -> Result<i64, StoreError> {
    db.number(&format!("SELECT COUNT(*) FROM {table}"), &[])
}

/// What is kept there now, column by column; no row when there is nothing.
pub fn find(db: &Read<'_>, target: &Target, key: i64) -> Result<Vec<Vec<Value>>, StoreError> {
    let (columns, owner) = (target.columns.join(", "), target.key());
    let width = target.columns.len();
    let sql = format!("SELECT {columns} FROM {} WHERE {owner} = ?1", target.table);
    db.rows(&sql, &[key.into()], |row| (0..width).map(|place| row.read(place)).collect::<Result<Vec<Value>, StatementError>>())
}

/// Writes what is to be kept there, in the place of what is there now. A row that is not there stays away; [`insert`] adds one.
pub fn put(db: &mut Write<'_>, target: &Target, key: i64, rows: &[Vec<Value>]) -> Result<(), StoreError> {
    match target.place {
        Place::Row | Place::Patch => rows.iter().try_for_each(|row| change(db, target, key, row)),
        Place::Set(owner) => {
            db.execute(&format!("DELETE FROM {} WHERE {owner} = ?1", target.table), &[key.into()])?;
            let places: Vec<String> = (2..=target.columns.len() + 1).map(|place| format!("?{place}")).collect();
            let (columns, places) = (target.columns.join(", "), places.join(", "));
            let sql = format!("INSERT INTO {} ({owner}, {columns}) VALUES (?1, {places})", target.table);
            rows.iter().try_for_each(|row| db.execute(&sql, &with_key(key, row)).map(drop))
        }
    }
}

/// Adds a row of its own; `false` when there is one with this number already, which then stays as it is.
pub fn insert(db: &mut Write<'_>, target: &Target, key: i64, row: &[Value]) -> Result<bool, StoreError> {
    let mut values = with_key(key, row);
    values.extend(target.born_with.iter().map(|(_, value)| Value::from(*value)));
    let columns: Vec<&str> = target.columns.iter().copied().chain(target.born_with.iter().map(|(name, _)| *name)).collect();
    let places: Vec<String> = (2..=columns.len() + 1).map(|place| format!("?{place}")).collect();
    let (table, columns, places) = (target.table, columns.join(", "), places.join(", "));
    let sql = format!("INSERT INTO {table} (id, {columns}) VALUES (?1, {places}) ON CONFLICT (id) DO NOTHING");
    Ok(db.execute(&sql, &values)? > 0)
}

fn change(db: &mut Write<'_>, target: &Target, key: i64, row: &[Value]) -> Result<(), StoreError> {
    let changes: Vec<String> = (2..).zip(&target.columns).map(|(place, name)| format!("{name} = ?{place}")).collect();
    db.execute(&format!("UPDATE {} SET {} WHERE id = ?1", target.table, changes.join(", ")), &with_key(key, row)).map(drop)
}

/// Takes away what is kept there; not for patches, which have nothing of their own.
pub fn remove(db: &mut Write<'_>, target: &Target, key: i64) -> Result<(), StoreError> {
    db.execute(&format!("DELETE FROM {} WHERE {} = ?1", target.table, target.key()), &[key.into()]).map(drop)
}

/// Empties tables, the last one first; for the default data that something else takes the place of.
pub fn clear(db: &mut Write<'_>, tables: &[&'static str]) -> Result<(), StoreError> {
    tables.iter().rev().try_for_each(|table| db.execute(&format!("DELETE FROM {table}"), &[]).map(drop))?;
    db.catalogue_changed()
}

/// Says that names, rights or settings have changed.
pub fn names_changed(db: &mut Write<'_>) -> Result<(), StoreError> {
    db.catalogue_changed()
}

/// When rows were made that were taken once, by number.
pub fn made_on(db: &Read<'_>, table: &'static str) -> Result<HashMap<i64, i64>, StoreError> {
    let sql = format!("SELECT t.id, t.created_on FROM {table} t JOIN imported i ON i.source_table = ?1 AND i.id = t.id");
    Ok(db.rows(&sql, &[table.into()], |row| Ok((row.read(0)?, row.read(1)?)))?.into_iter().collect())
}

/// Remembers that the content of a file is there.
pub fn set_content(db: &mut Write<'_>, attachment: i64, sha256: &str) -> Result<(), StoreError> {
    db.execute("UPDATE attachments SET content_sha256 = ?2 WHERE id = ?1", &[attachment.into(), sha256.into()]).map(drop)
}

/// A file that came without its content so far: number, folder, name on disk and digest in the source.
pub struct WithoutContent {
    /// Its number.
    pub id: i64,
    /// The folder below the source's folder of files.
    pub directory: String,
    /// Its name there.
    pub filename: String,
    /// The digest that its content must have: SHA-256, or MD5 from before; empty when it is not known.
    pub digest: String,
    /// How many bytes it has, where that is known.
    pub filesize: i64,
}

/// The files that came without their contents so far.
pub fn without_content(db: &Read<'_>) -> Result<Vec<WithoutContent>, StoreError> {
    let sql = "SELECT id, COALESCE(disk_directory, ''), disk_filename, digest, filesize FROM attachments \
               WHERE content_sha256 IS NULL AND disk_filename <> '' ORDER BY id";
    db.rows(sql, &[], |row| {
        Ok(WithoutContent {
            id: row.read(0)?,
            directory: row.read(1)?,
            filename: row.read(2)?,
            digest: row.read(3)?,
            filesize: row.read(4)?,
        })
    })
}

impl Target {
    fn key(&self) -> &'static str {
        match self.place {
            Place::Row | Place::Patch => "id",
            Place::Set(owner) => owner,
        }
    }
}

fn with_key(key: i64, row: &[Value]) -> Vec<Value> {
    let mut values = Vec::with_capacity(row.len() + 1);
    values.push(key.into());
    values.extend_from_slice(row);
    values
}
