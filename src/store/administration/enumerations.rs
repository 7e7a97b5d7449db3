//! Priorities, activities and document categories.

use crate::engine::{Row, StatementError, Value};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::administration::enumeration::{Enumeration, EnumerationKind};
use quarry_domain::ids::{EnumerationId, ProjectId};
use quarry_domain::index_feed::kind::Kind;
use std::collections::HashMap;

const COLUMNS: &str = "id, type, name, position, is_default, active, project_id, parent_id";

/// Reads a value; `None` for one of an unknown type.
fn from_row(row: &Row<'_>) -> Result<Option<Enumeration>, StatementError> {
    let id = row.next()?;
    let Ok(kind) = row.next::<String>()?.parse() else {
        return Ok(None);
    };
    Ok(Some(Enumeration {
        id,
        kind,
        name: row.next()?,
        position: row.next()?,
        is_default: row.next()?,
        active: row.next()?,
        project: row.next()?,
        parent: row.next()?,
    }))
}

/// Returns all values by position, without unknown types.
pub fn list(db: &Read<'_>) -> Result<Vec<Enumeration>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM enumerations ORDER BY position, id");
    Ok(db
        .rows(&sql, &[], from_row)?
        .into_iter()
        .flatten()
        .collect())
}

/// The columns that an update writes.
fn columns(value: &Enumeration) -> ColumnValues {
    ColumnValues::new()
        .set("name", &value.name)
        .set("is_default", value.is_default)
        .set("active", value.active)
}

/// Inserts a value; with the next free id if its id is 0. Returns the id.
pub fn insert(db: &mut Write<'_>, value: &Enumeration) -> Result<EnumerationId, StoreError> {
    db.catalogue_changed()?;
    let columns = columns(value)
        .set_id(value.id)
        .set("type", value.kind.name())
        .set("position", value.position)
        .set("project_id", value.project)
        .set("parent_id", value.parent);
    db.insert_record("enumerations", columns)
}

/// Updates a value, except its position.
pub fn update(db: &mut Write<'_>, value: &Enumeration) -> Result<(), StoreError> {
    db.update_record("enumerations", value.id, columns(value))?;
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

/// Returns how many records have each value of the enumeration. Values without records are omitted.
pub fn counts(
    db: &Read<'_>,
    kind: EnumerationKind,
) -> Result<HashMap<EnumerationId, i64>, StoreError> {
    let (table, column) = referencing_column(kind);
    let sql = format!(
        "SELECT {column}, COUNT(*) FROM {table} WHERE {column} IS NOT NULL GROUP BY {column}"
    );
    let counts = db.rows(&sql, &[], |row| Ok((row.next()?, row.next()?)))?;
    Ok(counts.into_iter().collect())
}

/// Gives all records with one of these values of the enumeration another value. Returns their ids.
pub fn reassign(
    db: &mut Write<'_>,
    kind: EnumerationKind,
    values: &[EnumerationId],
    target: EnumerationId,
) -> Result<Vec<i64>, StoreError> {
    let (table, column) = referencing_column(kind);
    let sql = format!("UPDATE {table} SET {column} = ?2 WHERE {column} IN ids(?1) RETURNING id");
    let records: Vec<i64> = db.column(&sql, &[ids(values), target.into()])?;
    match kind {
        EnumerationKind::IssuePriority => {
            changes::record_all(db, Kind::Issue, records.iter().copied())?;
        }
        EnumerationKind::DocumentCategory => {
            changes::record_all(db, Kind::Document, records.iter().copied())?;
        }
        EnumerationKind::TimeEntryActivity => {}
    }
    Ok(records)
}

/// Gives the time entries of a project another activity.
pub fn reassign_in_project(
    db: &mut Write<'_>,
    project: ProjectId,
    from: EnumerationId,
    to: EnumerationId,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE time_entries SET activity_id = ?3 WHERE project_id = ?1 AND activity_id = ?2",
        &[project.into(), from.into(), to.into()],
    )?;
    Ok(())
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
