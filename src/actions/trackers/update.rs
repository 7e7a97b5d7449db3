//! Updates trackers.

use super::TrackerChange;
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::ids::TrackerId;
use crate::domain::viewer::Viewer;
use crate::store::Write;
use std::sync::Arc;

/// Updates a tracker. Issues keep it in projects that no longer use it.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound`; `Invalid` with a message for each
/// invalid attribute.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: TrackerId,
    change: &TrackerChange,
) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let after = change.apply_to(catalogue.tracker(id).ok_or(ActionError::NotFound)?);
    change.validate(&catalogue, &after)?;
    Ok(change.save(db, &catalogue, &after)?)
}
