//! Takes back a change of many issues, with the old values from the history.

use super::{BulkAction, BulkOutcome, NOT_EDITABLE, apply_all, list_permitted};
use crate::prelude::*;
use jiff::{Timestamp, ToSpan};
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::ids::CustomFieldId;
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_domain::issues::journal::JournalDetail;
use quarry_store::administration::custom_fields;
use quarry_store::issues::{journals, relations, subtasks};

/// How long a change can be taken back, in minutes.
pub const UNDO_MINUTES: i64 = 10;

/// Takes back what the viewer changed at this time in these issues, within [`UNDO_MINUTES`]. The
/// old values come from the history. Issues that have changed since stay as they are, and so do
/// notes.
///
/// # Errors
/// `Invalid` when the time is over.
pub fn undo(
    db: &mut Write<'_>,
    viewer: &Viewer,
    ids: &[IssueId],
    at: Timestamp,
) -> Result<BulkOutcome, ActionError> {
    if !can_undo(db, at) {
        return Err(ActionError::invalid(format!(
            "A change can be taken back within {UNDO_MINUTES} minutes only"
        )));
    }
    let mut changes = Vec::new();
    let issues = list_permitted(db, viewer, ids, BulkAction::Edit)?;
    let is_missing = |id: &&IssueId| issues.iter().all(|issue| issue.id != **id);
    let missing = ids.iter().filter(is_missing);
    // Missing and hidden issues are not told apart.
    let mut refused: Vec<(IssueId, String)> =
        missing.map(|id| (*id, NOT_EDITABLE.to_owned())).collect();
    for issue in issues {
        let Some(details) = details_at(db, viewer, issue.id, at)? else {
            continue;
        };
        let is_moved = details.iter().any(|detail| detail.name == "project_id");
        if issue.updated_on != at {
            refused.push((issue.id, "it has been changed meanwhile".to_owned()));
        } else if is_moved && !subtasks::list(db, viewer, issue.id)?.is_empty() {
            refused.push((issue.id, MOVED_WITH_SUBTASKS.to_owned()));
        } else {
            let values = custom_fields::find_values(db, Customized::Issue, issue.id.0)?;
            let change = previous(db.catalogue(), &details, &values);
            if let Some(name) = deleted_value(db.catalogue(), &change) {
                refused.push((issue.id, format!("its former {name} was deleted")));
            } else if let Some(reason) = blocked_status(db, &issue, &change)? {
                refused.push((issue.id, reason.to_owned()));
            } else {
                changes.push((issue.id, change));
            }
        }
    }
    let mut outcome = apply_all(db, viewer, changes)?;
    outcome.refused.extend(refused);
    Ok(outcome)
}

/// Whether a change of this time can still be taken back.
pub fn can_undo(db: &Read<'_>, at: Timestamp) -> bool {
    let age = UNDO_MINUTES.minutes();
    at <= db.now() && at.checked_add(age).is_ok_and(|end| db.now() <= end)
}

/// Returns those of the issues that the viewer may see and changed at this time.
pub fn changed_at(
    db: &Read<'_>,
    viewer: &Viewer,
    ids: &[IssueId],
    at: Timestamp,
) -> Result<Vec<Issue>, ActionError> {
    let mut changed = Vec::new();
    for issue in list_permitted(db, viewer, ids, BulkAction::Edit)? {
        if details_at(db, viewer, issue.id, at)?.is_some() {
            changed.push(issue);
        }
    }
    Ok(changed)
}

/// Returns what the viewer changed in the issue at this time; `None` if nothing.
fn details_at(
    db: &Read<'_>,
    viewer: &Viewer,
    id: IssueId,
    at: Timestamp,
) -> Result<Option<Vec<JournalDetail>>, ActionError> {
    let journals = journals::list(db, id)?;
    // The latest, because a change and the one that took it back can have the same time.
    let mut own = journals
        .into_iter()
        .rev()
        .filter(|journal| Some(journal.user) == viewer.user && journal.created_on == at);
    Ok(own
        .find(|journal| !journal.details.is_empty())
        .map(|journal| journal.details))
}

/// The reason why an issue is not moved back: nothing says what its subtasks have lost.
const MOVED_WITH_SUBTASKS: &str =
    "its subtasks have moved with it; move it back, and check their categories and versions";

/// Returns the change that restores the values before these details. `values` are those of the custom
/// fields now.
fn previous(catalogue: &Catalogue, details: &[JournalDetail], values: &Values) -> IssueChange {
    let mut change = IssueChange {
        restores: true,
        ..IssueChange::default()
    };
    for detail in details {
        let old = detail.old_value.clone().filter(|value| !value.is_empty());
        let text = || old.clone().map_or(Patch::Clear, Patch::Set);
        let id = old.as_deref().and_then(|value| value.parse::<i64>().ok());
        match (detail.property.as_str(), detail.name.as_str()) {
            ("attr", "project_id") => change.project = text(),
            ("attr", "tracker_id") => change.tracker = reference(id),
            ("attr", "status_id") => change.status = reference(id),
            ("attr", "priority_id") => change.priority = reference(id),
            ("attr", "assigned_to_id") => change.assignee = reference(id),
            ("attr", "category_id") => change.category = reference(id),
            ("attr", "fixed_version_id") => change.version = reference(id),
            ("attr", "parent_id") => change.parent = text(),
            ("attr", "start_date") => change.start_date = text(),
            ("attr", "due_date") => change.due_date = text(),
            ("attr", "done_ratio") => change.done_ratio = text(),
            ("attr", "estimated_hours") => change.estimated_hours = text(),
            ("attr", "subject") => change.subject = text(),
            ("attr", "description") => change.description = text(),
            ("attr", "is_private") => {
                change.private = Patch::Set(matches!(old.as_deref(), Some("1" | "true")));
            }
            ("cf", id) => {
                if let Ok(id) = id.parse().map(CustomFieldId) {
                    let mut fields = catalogue.custom_fields.iter();
                    let is_multiple = fields.any(|field| field.id == id && field.multiple);
                    let known = change.custom.iter().position(|(other, _)| *other == id);
                    let index = known.unwrap_or_else(|| {
                        let start = match is_multiple {
                            true => values.get(id).unwrap_or_default().to_vec(),
                            false => Vec::new(),
                        };
                        change.custom.push((id, start));
                        change.custom.len() - 1
                    });
                    // A field of several values has a detail for each that was added or removed.
                    let restored = &mut change.custom[index].1;
                    restored.retain(|value| Some(value) != detail.new_value.as_ref());
                    restored.extend(old);
                }
            }
            _ => {}
        }
    }
    change
}

/// Returns why the former status cannot be restored, whatever the workflow permits.
fn blocked_status(
    db: &Read<'_>,
    issue: &Issue,
    change: &IssueChange,
) -> Result<Option<&'static str>, ActionError> {
    let Some(status) = change.status.value() else {
        return Ok(None);
    };
    let is_closed = db.catalogue().is_closed(*status);
    if is_closed == db.catalogue().is_closed(issue.status) {
        return Ok(None);
    }
    if is_closed && relations::is_blocked(db, issue.id)? {
        return Ok(Some("an open issue blocks it"));
    }
    if is_closed && subtasks::has_open_descendant(db, issue.id)? {
        return Ok(Some("a subtask is open"));
    }
    if !is_closed && issue.parent.is_some() && subtasks::has_closed_ancestor(db, issue.id)? {
        return Ok(Some("its parent is closed"));
    }
    Ok(None)
}

/// Returns what the change would restore although it was deleted, of what every issue must have.
fn deleted_value(catalogue: &Catalogue, change: &IssueChange) -> Option<&'static str> {
    let is_deleted = |project: &String| catalogue.project_by(project).is_none();
    let mut priorities = catalogue.enumerations_of(EnumerationKind::IssuePriority);
    let status = change.status.value();
    let tracker = change.tracker.value();
    if change.project.value().is_some_and(is_deleted) {
        Some("project")
    } else if tracker.is_some_and(|id| catalogue.tracker(*id).is_none()) {
        Some("tracker")
    } else if status.is_some_and(|id| catalogue.status(*id).is_none()) {
        Some("status")
    } else {
        let priority = change.priority.value()?;
        (!priorities.any(|value| value.id == *priority)).then_some("priority")
    }
}

fn reference<Id: From<i64>>(id: Option<i64>) -> Patch<Id> {
    id.map_or(Patch::Clear, |id| Patch::Set(Id::from(id)))
}
