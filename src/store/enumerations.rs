//! Priorities, activities and document categories.

use super::{Read, StoreError, Write};
use crate::domain::catalogue::{Enumeration, EnumerationKind};
use crate::domain::ids::EnumerationId;

/// All values in the order of their positions. Kinds that are not known here are left out.
pub fn list(db: &Read<'_>) -> Result<Vec<Enumeration>, StoreError> {
    let rows = db.rows(
        "SELECT id, type, name, position, is_default, active, project_id, parent_id FROM enumerations ORDER BY position, id",
        &[],
        |row| {
            let Some(kind) = EnumerationKind::parse(&row.read::<String>(1)?) else { return Ok(None) };
            let (id, name, position) = (row.read(0)?, row.read(2)?, row.read(3)?);
            let (is_default, active) = (row.read(4)?, row.read(5)?);
            Ok(Some(Enumeration { id, kind, name, position, is_default, active, project: row.read(6)?, parent: row.read(7)? }))
        },
    )?;
    Ok(rows.into_iter().flatten().collect())
}

/// Adds a value.
pub fn insert(db: &mut Write<'_>, kind: EnumerationKind, name: &str, position: i64, is_default: bool) -> Result<EnumerationId, StoreError> {
    db.catalogue_changed()?;
    db.insert(
        "INSERT INTO enumerations (type, name, position, is_default) VALUES (?1, ?2, ?3, ?4) RETURNING id",
        &[kind.name().into(), name.into(), position.into(), is_default.into()],
    )
}
