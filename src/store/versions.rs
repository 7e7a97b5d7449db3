//! Versions of projects, and issue categories.

use super::{Read, StoreError, Write};
use crate::domain::ids::{CategoryId, ProjectId, VersionId};
use jiff::Timestamp;
use jiff::civil::Date;
use std::collections::HashMap;

/// The names of all versions.
pub fn names(db: &Read<'_>) -> Result<HashMap<VersionId, String>, StoreError> {
    Ok(db.rows("SELECT id, name FROM versions", &[], |row| Ok((row.read(0)?, row.read(1)?)))?.into_iter().collect())
}

/// The names of all issue categories.
pub fn category_names(db: &Read<'_>) -> Result<HashMap<CategoryId, String>, StoreError> {
    Ok(db.rows("SELECT id, name FROM issue_categories", &[], |row| Ok((row.read(0)?, row.read(1)?)))?.into_iter().collect())
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

/// Adds an issue category.
pub fn insert_category(db: &mut Write<'_>, project: ProjectId, name: &str) -> Result<CategoryId, StoreError> {
    db.catalogue_changed()?;
    db.insert("INSERT INTO issue_categories (project_id, name) VALUES (?1, ?2) RETURNING id", &[project.into(), name.into()])
}
