//! Deletes trackers.

use crate::actions::ActionError;
use crate::actions::administration::{invalid, require_admin};
use crate::domain::ids::TrackerId;
use crate::domain::setting::Setting;
use crate::domain::viewer::Viewer;
use crate::store::{Write, settings, trackers};
use std::sync::Arc;

/// Deletes a tracker with its workflow, and takes it from projects, custom fields and the default
/// of new projects.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound`; `Invalid` while an issue has it.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: TrackerId) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    catalogue.tracker(id).ok_or(ActionError::NotFound)?;
    if trackers::has_issues(db, id)? {
        return invalid("The tracker is in use and cannot be deleted: there are issues with it");
    }
    let name = id.to_string();
    let defaults = Setting::DefaultProjectsTrackerIds;
    if catalogue.list_setting(defaults).any(|item| item == name) {
        let others: Vec<&str> = catalogue
            .list_setting(defaults)
            .filter(|item| *item != name)
            .collect();
        settings::set(db, defaults, &others.join(","))?;
    }
    Ok(trackers::delete(db, id)?)
}
