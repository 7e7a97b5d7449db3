//! Looking a time entry up for somebody.

use crate::actions::Refused;
use crate::domain::ids::TimeEntryId;
use crate::domain::time_entry::TimeEntry;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, time_entries};

/// The time entry, to whoever may see it; to a viewer who sees only own ones, that is a rule here too (contract 7).
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not see it.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: TimeEntryId) -> Result<TimeEntry, Refused> {
    let entry = time_entries::find(db, id)?.ok_or(Refused::NotFound)?;
    if visibility::time_entries(viewer).admits(&entry.facts()) { Ok(entry) } else { Err(Refused::Forbidden) }
}
