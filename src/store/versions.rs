//! Versions of projects, and issue categories for the catalogue.

use super::{Read, StoreError, Write};
use crate::domain::ids::{ProjectId, VersionId};
use crate::domain::version::{Category, Sharing, Version};
use jiff::Timestamp;
use jiff::civil::Date;

/// Returns all versions by id.
pub fn list(db: &Read<'_>) -> Result<Vec<Version>, StoreError> {
    db.rows("SELECT id, project_id, name, status, sharing, due_date FROM versions ORDER BY id", &[], |row| {
        let sharing = Sharing::parse(&row.get::<String>(4)?).unwrap_or(Sharing::None);
        let (id, project, name) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(Version { id, project, name, status: row.get(3)?, sharing, due_date: row.get(5)? })
    })
}

/// Returns all issue categories by id.
pub fn categories(db: &Read<'_>) -> Result<Vec<Category>, StoreError> {
    db.rows("SELECT id, project_id, name, assigned_to_id FROM issue_categories ORDER BY id", &[], |row| {
        Ok(Category { id: row.get(0)?, project: row.get(1)?, name: row.get(2)?, assignee: row.get(3)? })
    })
}

/// Inserts a version.
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
