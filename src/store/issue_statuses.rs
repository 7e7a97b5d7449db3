//! Issue statuses.

use super::{Read, StoreError, Write, changes};
use crate::domain::catalogue::Status;
use crate::domain::ids::{IssueId, StatusId};
use crate::domain::kind::Kind;

/// Returns the statuses by position.
pub fn list(db: &Read<'_>) -> Result<Vec<Status>, StoreError> {
    let sql = "SELECT id, name, position, is_closed, default_done_ratio, description FROM issue_statuses ORDER BY position, id";
    db.rows(sql, &[], |row| {
        Ok(Status {
            id: row.next()?,
            name: row.next()?,
            position: row.next()?,
            is_closed: row.next()?,
            default_done_ratio: row.next()?,
            description: row.next()?,
        })
    })
}

/// Inserts a status.
pub fn insert(
    db: &mut Write<'_>,
    name: &str,
    position: i64,
    is_closed: bool,
) -> Result<StatusId, StoreError> {
    db.catalogue_changed()?;
    db.insert(
        "INSERT INTO issue_statuses (name, position, is_closed) VALUES (?1, ?2, ?3) RETURNING id",
        &[name.into(), position.into(), is_closed.into()],
    )
}

/// Whether an issue has the status.
pub fn has_issues(db: &Read<'_>, status: StatusId) -> Result<bool, StoreError> {
    Ok(db.query_i64(
        "SELECT EXISTS (SELECT 1 FROM issues WHERE status_id = ?1)",
        &[status.into()],
    )? == 1)
}

/// Updates a status, except its position.
pub fn update(db: &mut Write<'_>, status: &Status) -> Result<(), StoreError> {
    db.execute(
        "UPDATE issue_statuses SET name = ?2, is_closed = ?3, default_done_ratio = ?4, description = ?5 WHERE id = ?1",
        &[
            status.id.into(),
            status.name.as_str().into(),
            status.is_closed.into(),
            status.default_done_ratio.into(),
            status.description.as_ref().into(),
        ],
    )?;
    db.catalogue_changed()
}

/// Sets the closing time of those issues in the status that have none: when they got the status, or
/// else when they were created.
pub fn set_closed_on(db: &mut Write<'_>, status: StatusId) -> Result<(), StoreError> {
    let sql = "UPDATE issues SET closed_on = COALESCE((SELECT MAX(j.created_on) FROM journals j \
               JOIN journal_details d ON d.journal_id = j.id WHERE j.issue_id = issues.id AND d.property = 'attr' \
               AND d.name = 'status_id' AND d.new_value = ?2), created_on) \
               WHERE status_id = ?1 AND closed_on IS NULL RETURNING id";
    let issues: Vec<IssueId> = db.column(sql, &[status.into(), status.to_string().into()])?;
    changes::record_all(db, Kind::Issue, issues)
}

/// Deletes a status with its part of the workflow. No issue and no tracker may have it.
pub fn delete(db: &mut Write<'_>, status: StatusId) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM workflow_transitions WHERE old_status_id = ?1 OR new_status_id = ?1",
        "DELETE FROM workflow_permissions WHERE old_status_id = ?1",
        "DELETE FROM issue_statuses WHERE id = ?1",
    ] {
        db.execute(sql, &[status.into()])?;
    }
    db.catalogue_changed()
}
