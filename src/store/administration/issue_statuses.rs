//! Issue statuses.

use crate::engine::{Row, StatementError};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::administration::issue_status::IssueStatus;
use quarry_domain::ids::{IssueId, StatusId};
use quarry_domain::index_feed::kind::Kind;

const COLUMNS: &str = "id, name, position, is_closed, default_done_ratio, description";

fn from_row(row: &Row<'_>) -> Result<IssueStatus, StatementError> {
    Ok(IssueStatus {
        id: row.next()?,
        name: row.next()?,
        position: row.next()?,
        is_closed: row.next()?,
        default_done_ratio: row.next()?,
        description: row.next()?,
    })
}

/// Returns the statuses by position.
pub fn list(db: &Read<'_>) -> Result<Vec<IssueStatus>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM issue_statuses ORDER BY position, id");
    db.rows(&sql, &[], from_row)
}

/// The columns that an update writes.
fn columns(status: &IssueStatus) -> ColumnValues {
    ColumnValues::new()
        .set("name", &status.name)
        .set("is_closed", status.is_closed)
        .set("default_done_ratio", status.default_done_ratio)
        .set("description", status.description.as_deref())
}

/// Inserts a status; with the next free id if its id is 0. Returns the id.
pub fn insert(db: &mut Write<'_>, status: &IssueStatus) -> Result<StatusId, StoreError> {
    db.catalogue_changed()?;
    let columns = columns(status)
        .set_id(status.id)
        .set("position", status.position);
    db.insert_record("issue_statuses", columns)
}

/// Returns how many issues have the status.
pub fn count_issues(db: &Read<'_>, status: StatusId) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM issues WHERE status_id = ?1",
        &[status.into()],
    )
}

/// Updates a status, except its position.
pub fn update(db: &mut Write<'_>, status: &IssueStatus) -> Result<(), StoreError> {
    db.update_record("issue_statuses", status.id, columns(status))?;
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

/// Gives all trackers with this default status another one.
pub fn replace_default(
    db: &mut Write<'_>,
    status: StatusId,
    target: StatusId,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE trackers SET default_status_id = ?2 WHERE default_status_id = ?1",
        &[status.into(), target.into()],
    )?;
    db.catalogue_changed()
}

/// Gives all issues with the status another one. Issues that it closes are closed now, those that
/// it opens have no closing time. Returns them.
pub fn reassign(
    db: &mut Write<'_>,
    status: &IssueStatus,
    target: &IssueStatus,
) -> Result<Vec<IssueId>, StoreError> {
    let sql = "UPDATE issues SET status_id = ?2, lock_version = lock_version + 1, \
               closed_on = CASE WHEN NOT ?5 THEN NULL WHEN ?4 THEN COALESCE(closed_on, ?3) ELSE ?3 END \
               WHERE status_id = ?1 RETURNING id";
    let values = [
        status.id.into(),
        target.id.into(),
        db.now().into(),
        status.is_closed.into(),
        target.is_closed.into(),
    ];
    let issues: Vec<IssueId> = db.column(sql, &values)?;
    changes::record_all(db, Kind::Issue, issues.iter().copied())?;
    Ok(issues)
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
