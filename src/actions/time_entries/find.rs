//! Looking a time entry up for somebody.

use crate::actions::ActionError;
use crate::domain::ids::TimeEntryId;
use crate::domain::time_entry::TimeEntry;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, time_entries};

/// Returns the time entry, for a viewer who may see it; to a viewer who sees only own ones, that is a rule here too (compatibility 9).
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not see it.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: TimeEntryId) -> Result<TimeEntry, ActionError> {
    let entry = time_entries::find(db, id)?.ok_or(ActionError::NotFound)?;
    if visibility::time_entries(viewer).matches(&entry.access_attributes()) { Ok(entry) } else { Err(ActionError::Forbidden) }
}
