//! Issue categories of projects.

use crate::engine::{Row, StatementError};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::ids::{CategoryId, IssueId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::projects::category::Category;

const COLUMNS: &str = "id, project_id, name, assigned_to_id";

fn from_row(row: &Row<'_>) -> Result<Category, StatementError> {
    Ok(Category {
        id: row.next()?,
        project: row.next()?,
        name: row.next()?,
        assignee: row.next()?,
    })
}

/// Returns all issue categories by id.
pub fn list(db: &Read<'_>) -> Result<Vec<Category>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM issue_categories ORDER BY id");
    db.rows(&sql, &[], from_row)
}

/// The columns that an update writes.
fn columns(category: &Category) -> ColumnValues {
    ColumnValues::new()
        .set("name", &category.name)
        .set("assigned_to_id", category.assignee)
}

/// Inserts a category; with the next free id if its id is 0. Returns the id.
pub fn insert(db: &mut Write<'_>, category: &Category) -> Result<CategoryId, StoreError> {
    db.unaudited_catalogue_changed()?;
    let columns = columns(category)
        .set_id(category.id)
        .set("project_id", category.project);
    db.insert_record("issue_categories", columns)
}

/// Updates a category, except its project.
pub fn update(db: &mut Write<'_>, category: &Category) -> Result<(), StoreError> {
    db.update_record("issue_categories", category.id, columns(category))?;
    db.unaudited_catalogue_changed()
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
    db.unaudited_catalogue_changed()
}
