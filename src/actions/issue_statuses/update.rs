//! Updates issue statuses.

use super::StatusChange;
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::ids::StatusId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, issue_statuses};
use std::sync::Arc;

/// Updates a status. If it begins to close issues, those in it get a closing time.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound`; `Invalid` with a message for each
/// invalid attribute.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: StatusId,
    change: &StatusChange,
) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let before = catalogue.status(id).ok_or(ActionError::NotFound)?;
    let after = change.apply_to(before);
    change.validate(&catalogue, &after)?;
    change.save(db, &catalogue, &after)?;
    if after.is_closed && !before.is_closed {
        issue_statuses::set_closed_on(db, id)?;
    }
    Ok(())
}
