//! Repositories. The caller checks that the viewer may see them.

use super::changesets;
use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::ids::ProjectId;
use quarry_domain::projects::repository::Repository;

const COLUMNS: &str = "id, project_id, identifier, type, is_default, url, created_on";

fn from_row(row: &Row<'_>) -> Result<Repository, StatementError> {
    Ok(Repository {
        id: row.next()?,
        project: row.next()?,
        identifier: row.next()?,
        scm: row.next()?,
        is_default: row.next()?,
        url: row.next()?,
        created_on: row.next()?,
    })
}

/// Maximum number of repositories of a project that are listed.
pub const MAX_REPOSITORIES: i64 = 1_000;

/// Returns the repositories of a project, the main one first, at most [`MAX_REPOSITORIES`].
pub fn list(db: &Read<'_>, project: ProjectId) -> Result<Vec<Repository>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM repositories WHERE project_id = ?1 ORDER BY is_default DESC, identifier, id LIMIT ?2"
    );
    db.rows(&sql, &[project.into(), MAX_REPOSITORIES.into()], from_row)
}

/// Returns the repository with this id; its project decides who may see it.
pub fn find_by_id(db: &Read<'_>, id: i64) -> Result<Option<Repository>, StoreError> {
    db.first(
        &format!("SELECT {COLUMNS} FROM repositories WHERE id = ?1"),
        &[id.into()],
        from_row,
    )
}

/// Returns the repository of a project with this identifier, or else with this id.
pub fn find(
    db: &Read<'_>,
    project: ProjectId,
    reference: &str,
) -> Result<Option<Repository>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM repositories WHERE project_id = ?1 AND (identifier = ?2 AND ?2 <> '' OR id = ?3) \
         ORDER BY CASE WHEN id = ?3 THEN 1 ELSE 0 END LIMIT 1"
    );
    let id = reference.parse::<i64>().unwrap_or(0);
    db.first(
        &sql,
        &[project.into(), reference.into(), id.into()],
        from_row,
    )
}

/// The columns that an update writes.
fn columns(repository: &Repository) -> ColumnValues {
    ColumnValues::new()
        .set("identifier", &repository.identifier)
        .set("is_default", repository.is_default)
        .set("url", &repository.url)
        .set("created_on", repository.created_on)
}

/// Inserts a repository; its id is ignored. A new main repository replaces the former one. Returns
/// the new id.
pub fn insert(db: &mut Write<'_>, repository: &Repository) -> Result<i64, StoreError> {
    replace_default(db, repository)?;
    let columns = columns(repository)
        .set("project_id", repository.project)
        .set("type", &repository.scm);
    db.insert_record("repositories", columns)
}

/// Updates identifier, address, time and rank of a repository. A new main repository replaces the
/// former one.
pub fn update(db: &mut Write<'_>, repository: &Repository) -> Result<(), StoreError> {
    replace_default(db, repository)?;
    db.update_record("repositories", repository.id, columns(repository))
        .map(drop)
}

/// Takes the rank from the main repository of the project if this one is to have it.
fn replace_default(db: &mut Write<'_>, repository: &Repository) -> Result<(), StoreError> {
    if repository.is_default {
        db.execute(
            "UPDATE repositories SET is_default = 0 WHERE project_id = ?1",
            &[repository.project.into()],
        )?;
    }
    Ok(())
}

/// Deletes a repository with its changesets.
pub fn delete(db: &mut Write<'_>, id: i64) -> Result<(), StoreError> {
    changesets::delete_by_repository(db, id)?;
    db.execute("DELETE FROM repositories WHERE id = ?1", &[id.into()])
        .map(drop)
}
