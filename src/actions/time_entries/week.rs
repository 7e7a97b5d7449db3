//! The week of a user, as a table: each cell is the time of a day on an issue or project with one
//! activity.

use super::{LogTarget, create, delete, find, update};
use crate::ActionError;
use jiff::civil::Date;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::ids::{EnumerationId, TimeEntryId};
use quarry_domain::issues::hours;
use quarry_domain::issues::time_entry::{TimeEntryChange, round};
use quarry_domain::validation::ValidationErrors;
use quarry_domain::values::patch::Patch;
use quarry_domain::values::text::is_blank;
use quarry_store::Write;

const UNKNOWN: &str = "It does not exist, or you may not log time there";

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
        let change = TimeEntryChange {
            activity: cell.activity.map_or(Patch::Unset, Patch::Set),
            spent_on: Patch::Set(cell.day.to_string()),
            hours: Patch::Set(cell.hours.clone()),
            ..TimeEntryChange::default()
        };
        return create(db, viewer, cell.target, &change).map(drop);
    };
    let entry = find(db, viewer, id)?;
    // Two people, or two windows, with the same week: typing the same is no conflict.
    let is_unchanged = round(entry.hours) == round(shown) && entry.spent_on == cell.day;
    let is_same = hours::parse(&cell.hours).map(round) == Some(round(entry.hours));
    if !is_unchanged && !is_same {
        let mut errors = ValidationErrors::new();
        errors.add_message("The time entry has been changed since this page was shown");
        return Err(ActionError::Invalid(errors));
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
