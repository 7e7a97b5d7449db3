//! Priorities, activities and document categories.

use super::engine::Value;
use super::{Read, StoreError, Write, changes};
use crate::domain::catalogue::{Enumeration, EnumerationKind};
use crate::domain::ids::{EnumerationId, IssueId};
use crate::domain::kind::Kind;

/// Returns all values by position, without unknown types.
pub fn list(db: &Read<'_>) -> Result<Vec<Enumeration>, StoreError> {
    let rows = db.rows(
        "SELECT id, type, name, position, is_default, active, project_id, parent_id FROM enumerations ORDER BY position, id",
        &[],
        |row| {
            let Some(kind) = EnumerationKind::parse(&row.get::<String>(1)?) else { return Ok(None) };
            let id = row.get(0)?;
            let name = row.get(2)?;
            let position = row.get(3)?;
            let is_default = row.get(4)?;
            let active = row.get(5)?;
            Ok(Some(Enumeration { id, kind, name, position, is_default, active, project: row.get(6)?, parent: row.get(7)? }))
        },
    )?;
    Ok(rows.into_iter().flatten().collect())
}

/// Inserts a value.
pub fn insert(
    db: &mut Write<'_>,
    kind: EnumerationKind,
    name: &str,
    position: i64,
    is_default: bool,
) -> Result<EnumerationId, StoreError> {
    db.catalogue_changed()?;
    db.insert(
        "INSERT INTO enumerations (type, name, position, is_default) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &[kind.name().into(), name.into(), position.into(), is_default.into()],
    )
}

/// Updates a value, except its position.
pub fn update(db: &mut Write<'_>, value: &Enumeration) -> Result<(), StoreError> {
    db.execute(
        "UPDATE enumerations SET name = ?2, is_default = ?3, active = ?4 WHERE id = ?1",
        &[
            value.id.into(),
            value.name.as_str().into(),
            value.is_default.into(),
            value.active.into(),
        ],
    )?;
    db.catalogue_changed()
}

/// Leaves an enumeration without a default value.
pub fn clear_default(db: &mut Write<'_>, kind: EnumerationKind) -> Result<(), StoreError> {
    db.execute(
        "UPDATE enumerations SET is_default = 0 WHERE type = ?1 AND is_default = 1",
        &[kind.name().into()],
    )?;
    db.catalogue_changed()
}

/// Returns the table and the column that refer to values of the enumeration.
fn referencing_column(kind: EnumerationKind) -> (&'static str, &'static str) {
    match kind {
        EnumerationKind::IssuePriority => ("issues", "priority_id"),
        EnumerationKind::TimeEntryActivity => ("time_entries", "activity_id"),
        EnumerationKind::DocumentCategory => ("documents", "category_id"),
    }
}

fn ids(values: &[EnumerationId]) -> Value {
    Value::Ids(values.iter().map(|value| value.0).collect())
}

/// Whether a record has one of these values of the enumeration.
pub fn is_used(
    db: &Read<'_>,
    kind: EnumerationKind,
    values: &[EnumerationId],
) -> Result<bool, StoreError> {
    let (table, column) = referencing_column(kind);
    Ok(db.query_i64(
        &format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE {column} IN ids(?1))"),
        &[ids(values)],
    )? == 1)
}

/// Gives all records with one of these values of the enumeration another value.
pub fn reassign(
    db: &mut Write<'_>,
    kind: EnumerationKind,
    values: &[EnumerationId],
    target: EnumerationId,
) -> Result<(), StoreError> {
    let (table, column) = referencing_column(kind);
    let sql = format!("UPDATE {table} SET {column} = ?2 WHERE {column} IN ids(?1) RETURNING id");
    let records: Vec<i64> = db.column(&sql, &[ids(values), target.into()])?;
    match kind {
        EnumerationKind::IssuePriority => {
            changes::record_all(db, Kind::Issue, records.into_iter().map(IssueId))
        }
        EnumerationKind::DocumentCategory => changes::record_all(db, Kind::Document, records),
        EnumerationKind::TimeEntryActivity => Ok(()),
    }
}

/// Deletes values, those that replace others first. No record may have them.
pub fn delete(db: &mut Write<'_>, values: &[EnumerationId]) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM custom_values WHERE customized_type = 'Enumeration' AND customized_id IN ids(?1)",
        "UPDATE roles SET default_time_entry_activity_id = NULL WHERE default_time_entry_activity_id IN ids(?1)",
        "DELETE FROM enumerations WHERE id IN ids(?1) AND parent_id IS NOT NULL",
        "DELETE FROM enumerations WHERE id IN ids(?1)",
    ] {
        db.execute(sql, &[ids(values)])?;
    }
    db.catalogue_changed()
}
