//! Issue categories. Reading them is the catalogue's.

use super::{StoreError, Write};
use crate::domain::ids::{CategoryId, PrincipalId, ProjectId};
use crate::domain::version::Category;

/// Adds a category.
pub fn insert(db: &mut Write<'_>, project: ProjectId, name: &str, assignee: Option<PrincipalId>) -> Result<CategoryId, StoreError> {
    db.catalogue_changed()?;
    let sql = "INSERT INTO issue_categories (project_id, name, assigned_to_id) VALUES (?1, ?2, ?3) RETURNING id";
    db.insert(sql, &[project.into(), name.into(), assignee.into()])
}

/// Replaces what a category says; its project stays.
pub fn change(db: &mut Write<'_>, category: &Category) -> Result<(), StoreError> {
    let sql = "UPDATE issue_categories SET name = ?2, assigned_to_id = ?3 WHERE id = ?1";
    db.execute(sql, &[category.id.into(), (&category.name).into(), category.assignee.into()])?;
    db.catalogue_changed()
}

/// Removes a category; its issues go to the other one, or have none then.
pub fn remove(db: &mut Write<'_>, category: CategoryId, heir: Option<CategoryId>) -> Result<(), StoreError> {
    // The index knows nothing of categories: no issue need be indexed anew.
    db.execute("UPDATE issues SET category_id = ?2 WHERE category_id = ?1", &[category.into(), heir.into()])?;
    db.execute("DELETE FROM issue_categories WHERE id = ?1", &[category.into()])?;
    db.catalogue_changed()
}
