//! Copies many issues.

use super::{BulkAction, BulkOutcome, MAX_ISSUES, list_permitted, refusal, require_values};
use crate::issues::CopiedParts;
use crate::issues::copy::{as_change_in, copy};
use crate::prelude::*;
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_store::issues::subtasks;
use std::collections::HashSet;

/// Copies those of the issues that the viewer may see and copy, with the changed values. A subtask
/// that is copied with its parent has no second copy.
///
/// # Errors
/// `Invalid` if there would be more than [`MAX_ISSUES`] copies.
pub fn copy_many(
    db: &mut Write<'_>,
    viewer: &Viewer,
    ids: &[IssueId],
    change: &IssueChange,
    parts: CopiedParts,
) -> Result<BulkOutcome, ActionError> {
    let mut originals = list_permitted(db, viewer, ids, BulkAction::Copy)?;
    if parts.subtasks {
        leave_out_subtasks(db, viewer, &mut originals)?;
    }
    let mut outcome = BulkOutcome::default();
    for original in &originals {
        let copied = db.attempt(|db| copy_one(db, viewer, original, change, parts));
        match refusal(copied)? {
            Ok(id) => outcome.changed.push(id),
            Err(reason) => outcome.refused.push((original.id, reason)),
        }
    }
    Ok(outcome)
}

/// Leaves out the issues that are copied with another one.
fn leave_out_subtasks(
    db: &Read<'_>,
    viewer: &Viewer,
    originals: &mut Vec<Issue>,
) -> Result<(), ActionError> {
    let mut below: HashSet<IssueId> = HashSet::new();
    for original in originals.iter() {
        let tasks = subtasks::list(db, viewer, original.id)?;
        below.extend(tasks.iter().map(|task| task.id));
    }
    originals.retain(|original| !below.contains(&original.id));
    if originals.len() + below.len() > MAX_ISSUES {
        return Err(ActionError::invalid(format!(
            "These issues have too many subtasks (maximum is {MAX_ISSUES} copies)"
        )));
    }
    Ok(())
}

fn copy_one(
    db: &mut Write<'_>,
    viewer: &Viewer,
    original: &Issue,
    change: &IssueChange,
    parts: CopiedParts,
) -> Result<IssueId, ActionError> {
    let project = match change.project.value() {
        None => original.project,
        Some(reference) => {
            let project = db.catalogue().project_by(reference);
            let project = project.filter(|project| viewer.sees(project.id));
            let invalid = || ActionError::invalid_attribute("project_id", "Project", "is invalid");
            project.map(|project| project.id).ok_or_else(invalid)?
        }
    };
    let values = as_change_in(db, viewer, original, project)?;
    let copied = copy(
        db,
        viewer,
        original.id,
        &changed(values, change),
        &[],
        parts,
    )?;
    let before = (copied.project, copied.tracker, copied.status);
    require_values(db, viewer, before, &copied, change)?;
    Ok(copied.id)
}

/// Returns the values of a copy: those of the original, unless the change has others.
fn changed(original: IssueChange, change: &IssueChange) -> IssueChange {
    fn or<T: Clone>(change: &Patch<T>, original: Patch<T>) -> Patch<T> {
        if change.is_present() {
            change.clone()
        } else {
            original
        }
    }
    let mut custom = change.custom.clone();
    let kept = original.custom.into_iter();
    custom.extend(kept.filter(|(id, _)| change.custom.iter().all(|(other, _)| other != id)));
    IssueChange {
        tracker: or(&change.tracker, original.tracker),
        status: change.status.clone(),
        priority: or(&change.priority, original.priority),
        assignee: or(&change.assignee, original.assignee),
        category: or(&change.category, original.category),
        version: or(&change.version, original.version),
        parent: or(&change.parent, original.parent),
        start_date: or(&change.start_date, original.start_date),
        due_date: or(&change.due_date, original.due_date),
        done_ratio: or(&change.done_ratio, original.done_ratio),
        estimated_hours: or(&change.estimated_hours, original.estimated_hours),
        private: or(&change.private, original.private),
        custom,
        project: original.project,
        subject: original.subject,
        description: original.description,
        ..IssueChange::default()
    }
}
