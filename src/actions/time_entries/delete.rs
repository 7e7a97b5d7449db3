//! Deletes time entries (compatibility 9).

use crate::actions::ActionError;
use crate::domain::ids::TimeEntryId;
use crate::domain::module::Module;
use crate::domain::permission::Permission;
use crate::domain::project::ProjectStatus;
use crate::domain::time_entry::TimeEntry;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Write, time_entries};

/// Deletes a time entry. Requires the permission to edit time entries, unless it is the viewer's
/// own (compatibility 9). An access token needs the scope for that.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not delete it.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: TimeEntryId) -> Result<(), ActionError> {
    let entry = time_entries::find(db, id)?.ok_or(ActionError::NotFound)?;
    let may_edit = viewer.may(Permission::EditTimeEntries, entry.project)
        && visibility::time_entries(viewer).matches(&entry.access_attributes());
    if !may_edit && !is_own(db, viewer, &entry) {
        return Err(ActionError::Forbidden);
    }
    time_entries::delete(db, id)?;
    Ok(())
}

/// Whether the time is the viewer's own, in a visible, active project with time tracking.
fn is_own(db: &Write<'_>, viewer: &Viewer, entry: &TimeEntry) -> bool {
    let project = db
        .catalogue()
        .projects
        .get(&entry.project)
        .filter(|_| viewer.rights(entry.project).is_some());
    let tracks_time = project.is_some_and(|project| {
        project.status == ProjectStatus::Active && project.modules.contains(Module::TimeTracking)
    });
    tracks_time
        && viewer.user == Some(entry.user)
        && viewer.has_scope(Permission::EditOwnTimeEntries)
}
