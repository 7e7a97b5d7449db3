//! Finds time entries.

use crate::actions::ActionError;
use crate::domain::ids::TimeEntryId;
use crate::domain::time_entry::TimeEntry;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, time_entries};

/// Returns the time entry if the viewer may see it (compatibility 9).
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not see it.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: TimeEntryId) -> Result<TimeEntry, ActionError> {
    let entry = time_entries::find(db, id)?.ok_or(ActionError::NotFound)?;
    if visibility::time_entries(viewer).matches(&entry.access_attributes()) {
        Ok(entry)
    } else {
        Err(ActionError::Forbidden)
    }
}
