//! Deletes issue statuses.

use crate::actions::ActionError;
use crate::actions::administration::{invalid, require_admin};
use crate::domain::ids::StatusId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, issue_statuses};
use std::sync::Arc;

/// Deletes a status with its part of the workflow.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound`; `Invalid` while an issue has it,
/// or a tracker as its default.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: StatusId) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    catalogue.status(id).ok_or(ActionError::NotFound)?;
    if let Some(tracker) = catalogue
        .trackers
        .iter()
        .find(|tracker| tracker.default_status == id)
    {
        return invalid(format!(
            "The status is in use and cannot be deleted: it is the default status of the tracker {}",
            tracker.name
        ));
    }
    if issue_statuses::has_issues(db, id)? {
        return invalid("The status is in use and cannot be deleted: there are issues in it");
    }
    Ok(issue_statuses::delete(db, id)?)
}
