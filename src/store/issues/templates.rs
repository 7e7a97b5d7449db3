//! Templates of issues.

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::ids::{IssueTemplateId, ProjectId};
use quarry_domain::issues::template::IssueTemplate;

const COLUMNS: &str = "id, project_id, tracker_id, name, subject, description, is_default";

fn from_row(row: &Row<'_>) -> Result<IssueTemplate, StatementError> {
    Ok(IssueTemplate {
        id: row.next()?,
        project: row.next()?,
        tracker: row.next()?,
        name: row.next()?,
        subject: row.next()?,
        description: row.next()?,
        is_default: row.next()?,
    })
}

/// Returns the template with this id.
pub fn find(db: &Read<'_>, id: IssueTemplateId) -> Result<Option<IssueTemplate>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM issue_templates WHERE id = ?1");
    db.first(&sql, &[id.into()], from_row)
}

/// Returns the templates of a project by name.
pub fn list(db: &Read<'_>, project: ProjectId) -> Result<Vec<IssueTemplate>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM issue_templates WHERE project_id = ?1 ORDER BY lower(name), name, id"
    );
    db.rows(&sql, &[project.into()], from_row)
}

/// The columns that an update writes.
fn columns(template: &IssueTemplate) -> ColumnValues {
    ColumnValues::new()
        .set("tracker_id", template.tracker)
        .set("name", &template.name)
        .set("subject", &template.subject)
        .set("description", &template.description)
        .set("is_default", template.is_default)
}

/// Inserts a template, and returns its id.
pub fn insert(db: &mut Write<'_>, template: &IssueTemplate) -> Result<IssueTemplateId, StoreError> {
    let columns = columns(template)
        .set_id(template.id)
        .set("project_id", template.project);
    let id = db.insert_record("issue_templates", columns)?;
    clear_other_defaults(
        db,
        &IssueTemplate {
            id,
            ..template.clone()
        },
    )?;
    Ok(id)
}

/// Updates a template, except its project.
pub fn update(db: &mut Write<'_>, template: &IssueTemplate) -> Result<(), StoreError> {
    db.update_record("issue_templates", template.id, columns(template))?;
    clear_other_defaults(db, template)
}

/// Makes the others of the project and tracker no default any more if this template is it.
fn clear_other_defaults(db: &mut Write<'_>, template: &IssueTemplate) -> Result<(), StoreError> {
    if template.is_default {
        let sql = "UPDATE issue_templates SET is_default = 0 WHERE project_id = ?1 AND tracker_id = ?2 AND id <> ?3";
        let values = [
            template.project.into(),
            template.tracker.into(),
            template.id.into(),
        ];
        db.execute(sql, &values)?;
    }
    Ok(())
}

/// Deletes a template.
pub fn delete(db: &mut Write<'_>, id: IssueTemplateId) -> Result<(), StoreError> {
    db.execute("DELETE FROM issue_templates WHERE id = ?1", &[id.into()])?;
    Ok(())
}
