//! Trackers, with the projects and custom fields that they have.

use super::{Read, StoreError, Write};
use crate::domain::catalogue::Tracker;
use crate::domain::ids::{CustomFieldId, ProjectId, StatusId, TrackerId};

/// Returns the trackers by position.
pub fn list(db: &Read<'_>) -> Result<Vec<Tracker>, StoreError> {
    db.rows("SELECT id, name, position, default_status_id, fields_bits, description FROM trackers ORDER BY position, id", &[], |row| {
        Ok(Tracker {
            id: row.next()?,
            name: row.next()?,
            position: row.next()?,
            default_status: row.next()?,
            disabled: row.next()?,
            description: row.next()?,
        })
    })
}

/// Inserts a tracker.
pub fn insert(
    db: &mut Write<'_>,
    name: &str,
    position: i64,
    default_status: StatusId,
) -> Result<TrackerId, StoreError> {
    db.catalogue_changed()?;
    db.insert(
        "INSERT INTO trackers (name, position, default_status_id) VALUES (?1, ?2, ?3) RETURNING id",
        &[name.into(), position.into(), default_status.into()],
    )
}

/// Whether an issue has the tracker.
pub fn has_issues(db: &Read<'_>, tracker: TrackerId) -> Result<bool, StoreError> {
    Ok(db.query_i64(
        "SELECT EXISTS (SELECT 1 FROM issues WHERE tracker_id = ?1)",
        &[tracker.into()],
    )? == 1)
}

/// Updates a tracker, except its position.
pub fn update(db: &mut Write<'_>, tracker: &Tracker) -> Result<(), StoreError> {
    db.execute(
        "UPDATE trackers SET name = ?2, default_status_id = ?3, description = ?4, fields_bits = ?5 WHERE id = ?1",
        &[
            tracker.id.into(),
            tracker.name.as_str().into(),
            tracker.default_status.into(),
            tracker.description.as_ref().into(),
            tracker.disabled.into(),
        ],
    )?;
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
