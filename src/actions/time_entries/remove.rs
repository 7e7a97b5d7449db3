//! Deleting a time entry (spec, "Time entries").

use crate::actions::Refused;
use crate::domain::ids::TimeEntryId;
use crate::domain::module::Module;
use crate::domain::permission::Permission;
use crate::domain::project::ProjectStatus;
use crate::domain::time_entry::TimeEntry;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Write, time_entries};

/// Deletes a time entry. It takes the permission to edit time entries, or that the time is the viewer's own (spec).
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not delete it.
pub fn remove(db: &mut Write<'_>, viewer: &Viewer, id: TimeEntryId) -> Result<(), Refused> {
    let entry = time_entries::find(db, id)?.ok_or(Refused::NotFound)?;
    let others = viewer.may(Permission::EditTimeEntries, entry.project) && visibility::time_entries(viewer).admits(&entry.facts());
    if !others && !is_own(db, viewer, &entry) {
        return Err(Refused::Forbidden);
    }
    time_entries::remove(db, id)?;
    Ok(())
}

/// Whether the time is the viewer's own, in a project that the viewer can see and in which time is still logged.
fn is_own(db: &Write<'_>, viewer: &Viewer, entry: &TimeEntry) -> bool {
    let project = db.catalogue().projects.get(&entry.project).filter(|_| viewer.rights(entry.project).is_some());
    let logs = project.is_some_and(|project| project.status == ProjectStatus::Active && project.modules.contains(Module::TimeTracking));
    logs && viewer.user == Some(entry.user)
}
