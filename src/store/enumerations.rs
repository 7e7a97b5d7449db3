//! Priorities, activities and document categories.

use super::{Read, StoreError, Write};
use crate::domain::catalogue::{Enumeration, EnumerationKind};
use crate::domain::ids::EnumerationId;

/// Returns all values by position, without unknown types.
pub fn list(db: &Read<'_>) -> Result<Vec<Enumeration>, StoreError> {
    let rows = db.rows(
        "SELECT id, type, name, position, is_default, active, project_id, parent_id FROM enumerations ORDER BY position, id",
        &[],
        |row| {
            let Some(kind) = EnumerationKind::parse(&row.get::<String>(1)?) else { return Ok(None) };
            let (id, name, position) = (row.get(0)?, row.get(2)?, row.get(3)?);
            let (is_default, active) = (row.get(4)?, row.get(5)?);
            Ok(Some(Enumeration { id, kind, name, position, is_default, active, project: row.get(6)?, parent: row.get(7)? }))
        },
    )?;
    Ok(rows.into_iter().flatten().collect())
}

/// Inserts a value.
pub fn insert(db: &mut Write<'_>, kind: EnumerationKind, name: &str, position: i64, is_default: bool) -> Result<EnumerationId, StoreError> {
    db.catalogue_changed()?;
    db.insert(
        "INSERT INTO enumerations (type, name, position, is_default) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &[kind.name().into(), name.into(), position.into(), is_default.into()],
    )
}
