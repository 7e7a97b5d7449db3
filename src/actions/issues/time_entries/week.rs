//! The week of a user, as a table: each cell is the time of a day on an issue or project with one
//! activity.

use super::{LogTarget, create, delete, find, update};
use crate::issues;
use crate::prelude::*;
use jiff::civil::Date;
use quarry_domain::access::visibility;
use quarry_domain::ids::{EnumerationId, TimeEntryId};
use quarry_domain::issues::hours;
use quarry_domain::issues::time_entry::{TimeEntry, TimeEntryChange, round};
use quarry_domain::values::text::is_blank;
use quarry_store::issues::time_entries;

/// Maximum number of time entries of a day that are compared.
const MAX_ENTRIES: i64 = 1_000;
const UNKNOWN: &str = "The issue or project does not exist, or you may not log time there";

/// A cell in which somebody typed.
pub struct CellChange {
    /// The name of the field, for errors.
    pub attribute: String,
    /// What its messages begin with.
    pub label: String,
    pub target: LogTarget,
    pub activity: Option<EnumerationId>,
    pub day: Date,
    /// The time entry that the cell showed, with its hours.
    pub shown: Option<(TimeEntryId, f64)>,
    /// The hours as typed; empty to delete the time entry.
    pub hours: String,
}

/// Saves the cells: creates, changes and deletes time entries, all or none. Returns how many were
/// saved.
///
/// # Errors
/// `Invalid` with what is wrong in each cell, also if its time entry has changed since it was shown.
pub fn save(
    db: &mut Write<'_>,
    viewer: &Viewer,
    cells: &[CellChange],
) -> Result<usize, ActionError> {
    let mut errors = ValidationErrors::new();
    for cell in cells {
        let messages = match save_cell(db, viewer, cell) {
            Ok(()) => continue,
            Err(ActionError::Invalid(errors)) => errors.messages(),
            // The same for both, so that it does not tell a hidden issue from a missing one.
            Err(ActionError::Forbidden | ActionError::NotFound) => vec![UNKNOWN.to_owned()],
            Err(error) => return Err(error),
        };
        for message in messages {
            errors.add(&cell.attribute, &format!("{}:", cell.label), &message);
        }
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok(cells.len())
}

fn save_cell(db: &mut Write<'_>, viewer: &Viewer, cell: &CellChange) -> Result<(), ActionError> {
    let Some((id, shown)) = cell.shown else {
        let activity = own_activity(db, viewer, cell)?;
        if has_entry(db, viewer, cell, activity)? {
            return Err(refused(
                "There is time of this day already. Change it in its row, or in the list",
            ));
        }
        let change = TimeEntryChange {
            activity: activity.map_or(Patch::Unset, Patch::Set),
            spent_on: Patch::Set(cell.day.to_string()),
            hours: Patch::Set(cell.hours.clone()),
            ..TimeEntryChange::default()
        };
        return create(db, viewer, cell.target, &change).map(drop);
    };
    // Somebody else's time looks like time that was deleted.
    let entry = find(db, viewer, id)
        .ok()
        .filter(|entry| viewer.user == Some(entry.user));
    let Some(entry) = entry else {
        return if is_blank(&cell.hours) {
            Ok(())
        } else {
            Err(refused(
                "The time entry has been deleted since this page was shown",
            ))
        };
    };
    // Two windows with the same week: typing the same is no conflict.
    let is_in_cell = entry.spent_on == cell.day
        && cell.activity == Some(entry.activity)
        && is_in_row(db, viewer, cell.target, &entry);
    let is_unchanged = round(entry.hours) == round(shown);
    let is_same = hours::parse(&cell.hours).map(round) == Some(round(entry.hours));
    if !is_in_cell {
        return Err(refused(
            "The time entry has been moved since this page was shown",
        ));
    }
    if !is_unchanged && !is_same {
        return Err(refused(&format!(
            "The time entry has been changed to {} h since this page was shown. Save again to replace it",
            round(entry.hours)
        )));
    }
    if is_blank(&cell.hours) {
        return delete(db, viewer, id);
    }
    let change = TimeEntryChange {
        hours: Patch::Set(cell.hours.clone()),
        ..TimeEntryChange::default()
    };
    update(db, viewer, id, &change).map(drop)
}

fn refused(message: &str) -> ActionError {
    let mut errors = ValidationErrors::new();
    errors.add_message(message);
    ActionError::Invalid(errors)
}

/// Whether the time entry is in the row with this target. Time on a hidden issue is in the row of
/// its project.
fn is_in_row(db: &Read<'_>, viewer: &Viewer, target: LogTarget, entry: &TimeEntry) -> bool {
    let issue = entry
        .issue
        .filter(|issue| issues::find(db, viewer, *issue).is_ok());
    match target {
        LogTarget::Issue(target) => issue == Some(target),
        LogTarget::Project(project) => issue.is_none() && entry.project == project,
        LogTarget::Requested => false,
    }
}

/// Returns the activity of the project that replaces a shared one; its default without one.
fn own_activity(
    db: &Read<'_>,
    viewer: &Viewer,
    cell: &CellChange,
) -> Result<Option<EnumerationId>, ActionError> {
    let project = match cell.target {
        LogTarget::Project(project) => Some(project),
        LogTarget::Issue(issue) => Some(issues::find(db, viewer, issue)?.project),
        LogTarget::Requested => None,
    };
    let Some(project) = project else {
        return Ok(cell.activity);
    };
    let Some(shared) = cell.activity else {
        let default = db.catalogue().default_activity(project);
        return Ok(default.map(|activity| activity.id));
    };
    let mut activities = db.catalogue().activities_of(project);
    let own = activities.find(|activity| activity.parent == Some(shared));
    Ok(own.map(|activity| activity.id).or(Some(shared)))
}

/// Whether there is a time entry of a cell that was shown without one: the form was sent twice, or
/// another window has logged the time.
fn has_entry(
    db: &Read<'_>,
    viewer: &Viewer,
    cell: &CellChange,
    activity: Option<EnumerationId>,
) -> Result<bool, ActionError> {
    let Some(user) = viewer.user else {
        return Ok(false);
    };
    let days = (cell.day, cell.day);
    let visible = visibility::time_entries(viewer);
    let entries = time_entries::list_by_day(db, visible, user, days, MAX_ENTRIES)?;
    let mut entries = entries.iter();
    Ok(entries
        .any(|entry| Some(entry.activity) == activity && is_in_row(db, viewer, cell.target, entry)))
}
