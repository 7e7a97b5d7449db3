//! Issue categories of projects.

use super::{Read, StoreError, Write, changes};
use crate::domain::ids::{CategoryId, IssueId, PrincipalId, ProjectId};
use crate::domain::kind::Kind;
use crate::domain::version::Category;

/// Returns all issue categories by id.
pub fn list(db: &Read<'_>) -> Result<Vec<Category>, StoreError> {
    db.rows(
        "SELECT id, project_id, name, assigned_to_id FROM issue_categories ORDER BY id",
        &[],
        |row| {
            Ok(Category {
                id: row.next()?,
                project: row.next()?,
                name: row.next()?,
                assignee: row.next()?,
            })
        },
    )
}

/// Inserts a category.
pub fn insert(
    db: &mut Write<'_>,
    project: ProjectId,
    name: &str,
    assignee: Option<PrincipalId>,
) -> Result<CategoryId, StoreError> {
    db.catalogue_changed()?;
    let sql = "INSERT INTO issue_categories (project_id, name, assigned_to_id) VALUES (?1, ?2, ?3) RETURNING id";
    db.insert(sql, &[project.into(), name.into(), assignee.into()])
}

/// Updates a category, except its project.
pub fn update(db: &mut Write<'_>, category: &Category) -> Result<(), StoreError> {
    let sql = "UPDATE issue_categories SET name = ?2, assigned_to_id = ?3 WHERE id = ?1";
    db.execute(
        sql,
        &[
            category.id.into(),
            (&category.name).into(),
            category.assignee.into(),
        ],
    )?;
    db.catalogue_changed()
}

/// Deletes a category. Its issues get the category `reassign_to`, or none.
pub fn delete(
    db: &mut Write<'_>,
    category: CategoryId,
    reassign_to: Option<CategoryId>,
) -> Result<(), StoreError> {
    let sql = "UPDATE issues SET category_id = ?2 WHERE category_id = ?1 RETURNING id";
    let issues: Vec<IssueId> = db.column(sql, &[category.into(), reassign_to.into()])?;
    changes::record_all(db, Kind::Issue, issues)?;
    db.execute(
        "DELETE FROM issue_categories WHERE id = ?1",
        &[category.into()],
    )?;
    db.catalogue_changed()
}
