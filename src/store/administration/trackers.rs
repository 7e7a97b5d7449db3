//! Trackers, with the projects and custom fields that they have.

use crate::engine::{Row, StatementError};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::administration::tracker::Tracker;
use quarry_domain::ids::{CustomFieldId, IssueId, ProjectId, TrackerId};
use quarry_domain::index_feed::kind::Kind;
use std::collections::HashMap;

const COLUMNS: &str = "id, name, description, position, default_status_id, fields_bits";

fn from_row(row: &Row<'_>) -> Result<Tracker, StatementError> {
    Ok(Tracker {
        id: row.next()?,
        name: row.next()?,
        description: row.next()?,
        position: row.next()?,
        default_status: row.next()?,
        disabled: row.next()?,
    })
}

/// Returns the trackers by position.
pub fn list(db: &Read<'_>) -> Result<Vec<Tracker>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM trackers ORDER BY position, id");
    db.rows(&sql, &[], from_row)
}

/// The columns that an update writes.
fn columns(tracker: &Tracker) -> ColumnValues {
    ColumnValues::new()
        .set("name", &tracker.name)
        .set("description", tracker.description.as_deref())
        .set("default_status_id", tracker.default_status)
        .set("fields_bits", tracker.disabled)
}

/// Inserts a tracker; with the next free id if its id is 0. Returns the id.
pub fn insert(db: &mut Write<'_>, tracker: &Tracker) -> Result<TrackerId, StoreError> {
    db.catalogue_changed()?;
    let columns = columns(tracker)
        .set_id(tracker.id)
        .set("position", tracker.position);
    db.insert_record("trackers", columns)
}

/// Returns how many issues have the tracker.
pub fn count_issues(db: &Read<'_>, tracker: TrackerId) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM issues WHERE tracker_id = ?1",
        &[tracker.into()],
    )
}

/// Returns how many issues have each tracker. Trackers without issues are omitted.
pub fn issue_counts(db: &Read<'_>) -> Result<HashMap<TrackerId, i64>, StoreError> {
    let sql = "SELECT tracker_id, COUNT(*) FROM issues GROUP BY tracker_id";
    let counts = db.rows(sql, &[], |row| Ok((row.next()?, row.next()?)))?;
    Ok(counts.into_iter().collect())
}

/// Updates a tracker, except its position.
pub fn update(db: &mut Write<'_>, tracker: &Tracker) -> Result<(), StoreError> {
    db.update_record("trackers", tracker.id, columns(tracker))?;
    db.catalogue_changed()
}

/// Replaces the projects that use a tracker.
pub fn set_projects(
    db: &mut Write<'_>,
    tracker: TrackerId,
    projects: &[ProjectId],
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM project_trackers WHERE tracker_id = ?1",
        &[tracker.into()],
    )?;
    for project in projects {
        let sql = "INSERT INTO project_trackers (project_id, tracker_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        db.execute(sql, &[(*project).into(), tracker.into()])?;
    }
    db.catalogue_changed()
}

/// Replaces the custom fields that issues with a tracker have.
pub fn set_custom_fields(
    db: &mut Write<'_>,
    tracker: TrackerId,
    fields: &[CustomFieldId],
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM custom_fields_trackers WHERE tracker_id = ?1",
        &[tracker.into()],
    )?;
    for field in fields {
        let sql = "INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        db.execute(sql, &[(*field).into(), tracker.into()])?;
    }
    db.catalogue_changed()
}

/// Gives all issues with the tracker another one, which their projects use from now on.
pub fn reassign(
    db: &mut Write<'_>,
    tracker: TrackerId,
    target: TrackerId,
) -> Result<(), StoreError> {
    let values = [tracker.into(), target.into()];
    db.execute(
        "INSERT INTO project_trackers (project_id, tracker_id) \
         SELECT DISTINCT project_id, CAST(?2 AS BIGINT) FROM issues WHERE tracker_id = ?1 ON CONFLICT DO NOTHING",
        &values,
    )?;
    let sql = "UPDATE issues SET tracker_id = ?2, lock_version = lock_version + 1 \
               WHERE tracker_id = ?1 RETURNING id";
    let issues: Vec<IssueId> = db.column(sql, &values)?;
    changes::record_all(db, Kind::Issue, issues)?;
    db.catalogue_changed()
}

/// Deletes a tracker with its workflow. No issue may have it.
pub fn delete(db: &mut Write<'_>, tracker: TrackerId) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM project_trackers WHERE tracker_id = ?1",
        "DELETE FROM custom_fields_trackers WHERE tracker_id = ?1",
        "DELETE FROM workflow_transitions WHERE tracker_id = ?1",
        "DELETE FROM workflow_permissions WHERE tracker_id = ?1",
        "DELETE FROM trackers WHERE id = ?1",
    ] {
        db.execute(sql, &[tracker.into()])?;
    }
    db.catalogue_changed()
}
