//! Trackers and issue statuses.

use super::{Read, StoreError, Write};
use crate::domain::catalogue::{Status, Tracker};
use crate::domain::ids::{StatusId, TrackerId};

/// Returns the trackers by position.
pub fn list(db: &Read<'_>) -> Result<Vec<Tracker>, StoreError> {
    db.rows("SELECT id, name, position, default_status_id, fields_bits, description FROM trackers ORDER BY position, id", &[], |row| {
        Ok(Tracker {
            id: row.get(0)?,
            name: row.get(1)?,
            position: row.get(2)?,
            default_status: row.get(3)?,
            disabled: row.get(4)?,
            description: row.get(5)?,
        })
    })
}

/// Returns the statuses by position.
pub fn statuses(db: &Read<'_>) -> Result<Vec<Status>, StoreError> {
    db.rows("SELECT id, name, position, is_closed, default_done_ratio FROM issue_statuses ORDER BY position, id", &[], |row| {
        Ok(Status { id: row.get(0)?, name: row.get(1)?, position: row.get(2)?, is_closed: row.get(3)?, default_done_ratio: row.get(4)? })
    })
}

/// Inserts a tracker.
pub fn insert(db: &mut Write<'_>, name: &str, position: i64, default_status: StatusId) -> Result<TrackerId, StoreError> {
    db.catalogue_changed()?;
    db.insert(
        "INSERT INTO trackers (name, position, default_status_id) VALUES (?1, ?2, ?3) RETURNING id",
        &[name.into(), position.into(), default_status.into()],
    )
}

/// Inserts a status.
pub fn insert_status(db: &mut Write<'_>, name: &str, position: i64, is_closed: bool) -> Result<StatusId, StoreError> {
    db.catalogue_changed()?;
    db.insert(
        "INSERT INTO issue_statuses (name, position, is_closed) VALUES (?1, ?2, ?3) RETURNING id",
        &[name.into(), position.into(), is_closed.into()],
    )
}
