//! Creates trackers.

use super::TrackerChange;
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::catalogue::Tracker;
use crate::domain::ids::{StatusId, TrackerId};
use crate::domain::viewer::Viewer;
use crate::store::{Write, trackers};
use std::sync::Arc;

/// Creates a tracker, at the end of the list unless a position is given. Returns its id.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `Invalid` with a message for each invalid
/// attribute.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &TrackerChange,
) -> Result<TrackerId, ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let position = catalogue
        .trackers
        .iter()
        .map(|tracker| tracker.position)
        .max()
        .unwrap_or(0)
        + 1;
    let blank = Tracker {
        id: TrackerId(0),
        name: String::new(),
        description: None,
        position,
        default_status: StatusId(0),
        disabled: 0,
    };
    let draft = change.apply_to(&blank);
    change.validate(&catalogue, &draft)?;
    let id = trackers::insert(db, &draft.name, position, draft.default_status)?;
    change.save(db, &catalogue, &Tracker { id, ..draft })?;
    Ok(id)
}
