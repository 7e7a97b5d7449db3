//! Versions of projects, and issue categories as the catalogue reads them.

use super::{Read, StoreError, Write};
use crate::domain::ids::{ProjectId, VersionId};
use crate::domain::version::{Category, Sharing, Version};
use jiff::Timestamp;
use jiff::civil::Date;

/// All versions.
pub fn list(db: &Read<'_>) -> Result<Vec<Version>, StoreError> {
    db.rows("SELECT id, project_id, name, status, sharing, due_date FROM versions ORDER BY id", &[], |row| {
        let sharing = Sharing::parse(&row.read::<String>(4)?).unwrap_or(Sharing::None);
        let (id, project, name) = (row.read(0)?, row.read(1)?, row.read(2)?);
        Ok(Version { id, project, name, status: row.read(3)?, sharing, due_date: row.read(5)? })
    })
}

/// All issue categories.
pub fn categories(db: &Read<'_>) -> Result<Vec<Category>, StoreError> {
    db.rows("SELECT id, project_id, name, assigned_to_id FROM issue_categories ORDER BY id", &[], |row| {
        Ok(Category { id: row.read(0)?, project: row.read(1)?, name: row.read(2)?, assignee: row.read(3)? })
    })
}

/// Adds a version.
pub fn insert(
    db: &mut Write<'_>,
    project: ProjectId,
    name: &str,
    status: &str,
    due_date: Option<Date>,
    created_on: Timestamp,
) -> Result<VersionId, StoreError> {
    db.catalogue_changed()?;
    db.insert(
        "INSERT INTO versions (project_id, name, status, due_date, created_on) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
        &[project.into(), name.into(), status.into(), due_date.into(), created_on.into()],
    )
}
