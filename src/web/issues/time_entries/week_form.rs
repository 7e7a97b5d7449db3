//! The form of the own week: which cells somebody has typed into.

use super::week_rows::{DAYS, RowKey};
use crate::prelude::*;
use jiff::Span;
use jiff::civil::Date;
use quarry_actions::issues::time_entries::LogTarget;
use quarry_actions::issues::time_entries::week::CellChange;
use quarry_domain::ids::{EnumerationId, TimeEntryId};
use quarry_domain::issues::hours;
use quarry_domain::issues::time_entry::round;
use quarry_domain::validation::ValidationError;
use quarry_domain::values::text::is_blank;

/// The parameter with a day of the week.
pub const DAY: &str = "day";
/// The object with the rows.
pub const ROWS: &str = "rows";
/// Maximum number of cells that are saved at once.
const MAX_CELLS: usize = 500;

/// Returns the id of the field of a cell, which is also the attribute of its errors.
pub fn cell_id(row: &str, day: usize) -> String {
    format!("{ROWS}[{row}][day{day}]")
}

/// Returns the names of the field of a cell, and of the one with what it showed.
pub fn cell_names(row: &str, day: usize) -> (String, String) {
    (cell_id(row, day), format!("{ROWS}[{row}][shown{day}]"))
}

/// Returns what was typed into a cell.
pub fn typed_cell(sent: &Input, row: &str, day: usize) -> Option<String> {
    let text = sent.at(&[ROWS, row, &format!("day{day}")])?.as_text()?;
    Some(text.into_owned())
}

/// Returns the cells whose hours are not those that the form showed.
///
/// # Errors
/// `Invalid` if a new row names no issue and no project, or too many cells are sent.
pub fn parse_week(
    request: &RequestContext,
    catalogue: &Catalogue,
    first: Date,
) -> Result<Vec<CellChange>, Error> {
    let body = &request.body;
    let rows = body.get(ROWS).map(Input::entries).unwrap_or_default();
    let mut changes = Vec::new();
    let mut errors = ValidationErrors::new();
    for (row, fields) in rows {
        for day in 0..DAYS {
            let Some(typed) = typed_cell(body, row, day) else {
                continue;
            };
            let shown = shown_entry(fields, day);
            if is_unchanged(&typed, shown) {
                continue;
            }
            let attribute = cell_id(row, day);
            let (target, activity) = match target(request, catalogue, row, fields) {
                Ok(found) => found,
                Err(message) => {
                    errors.push(ValidationError::new(&attribute, "New row:", message));
                    break;
                }
            };
            let date = first.saturating_add(Span::new().days(i64::try_from(day).unwrap_or(0)));
            changes.push(CellChange {
                label: date.strftime("%a %-d %b").to_string(),
                day: date,
                hours: typed,
                attribute,
                target,
                activity,
                shown,
            });
        }
    }
    if changes.len() > MAX_CELLS {
        errors.add_message("Too many cells were changed at once.");
    }
    errors.into_result().map_err(Error::Invalid)?;
    Ok(changes)
}

/// Returns the time entry that the cell showed, with its hours.
fn shown_entry(fields: &Input, day: usize) -> Option<(TimeEntryId, f64)> {
    let text = fields.get(&format!("shown{day}"))?.as_text()?;
    let (id, shown) = text.split_once(':')?;
    let shown: f64 = shown.parse().ok()?;
    Some((TimeEntryId(id.parse().ok()?), shown))
}

fn is_unchanged(typed: &str, shown: Option<(TimeEntryId, f64)>) -> bool {
    match shown {
        None => is_blank(typed),
        Some((_, shown)) => hours::parse(typed).is_some_and(|typed| round(typed) == round(shown)),
    }
}

/// Returns where the time of a row is logged, and its activity.
fn target(
    request: &RequestContext,
    catalogue: &Catalogue,
    row: &str,
    fields: &Input,
) -> Result<(LogTarget, Option<EnumerationId>), &'static str> {
    if let Some(key) = RowKey::parse(row) {
        return Ok((key.target(), Some(key.activity)));
    }
    let text = |name: &str| {
        fields
            .get(name)
            .and_then(Input::as_text)
            .unwrap_or_default()
    };
    let project = text("project");
    let issue = text("issue");
    let issue = issue.trim().trim_start_matches('#');
    let activity = text("activity").parse().ok().map(EnumerationId);
    if !issue.is_empty() {
        let id = issue.parse().map_err(|_| "the issue must be its number")?;
        return Ok((LogTarget::Issue(IssueId(id)), activity));
    }
    let project = catalogue.project_by(&project);
    match project.filter(|project| request.viewer().sees(project.id)) {
        Some(project) => Ok((LogTarget::Project(project.id), activity)),
        None => Err("enter the number of an issue, or choose a project"),
    }
}
