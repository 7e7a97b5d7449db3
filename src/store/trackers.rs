//! Trackers and issue statuses.

use super::{Read, StoreError, Write};
use crate::domain::catalogue::{Status, Tracker};
use crate::domain::ids::{StatusId, TrackerId};

/// The trackers in the order of their positions.
pub fn list(db: &Read<'_>) -> Result<Vec<Tracker>, StoreError> {
    db.rows("SELECT id, name, position, default_status_id FROM trackers ORDER BY position, id", &[], |row| {
        Ok(Tracker { id: row.read(0)?, name: row.read(1)?, position: row.read(2)?, default_status: row.read(3)? })
    })
}

/// The statuses in the order of their positions.
pub fn statuses(db: &Read<'_>) -> Result<Vec<Status>, StoreError> {
    db.rows("SELECT id, name, position, is_closed FROM issue_statuses ORDER BY position, id", &[], |row| {
        Ok(Status { id: row.read(0)?, name: row.read(1)?, position: row.read(2)?, is_closed: row.read(3)? })
    })
}

/// Adds a tracker.
pub fn insert(db: &mut Write<'_>, name: &str, position: i64, default_status: StatusId) -> Result<TrackerId, StoreError> {
    db.catalogue_changed()?;
    db.insert(
        "INSERT INTO trackers (name, position, default_status_id) VALUES (?1, ?2, ?3) RETURNING id",
        &[name.into(), position.into(), default_status.into()],
    )
}

/// Adds a status.
pub fn insert_status(db: &mut Write<'_>, name: &str, position: i64, is_closed: bool) -> Result<StatusId, StoreError> {
    db.catalogue_changed()?;
    db.insert(
        "INSERT INTO issue_statuses (name, position, is_closed) VALUES (?1, ?2, ?3) RETURNING id",
        &[name.into(), position.into(), is_closed.into()],
    )
}
