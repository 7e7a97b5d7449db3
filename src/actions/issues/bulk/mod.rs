//! Changes, copies and deletes many issues at once, and takes a change back. Every issue goes through
//! [`super::update()`] or [`super::copy()`], and gets all requested values or none.

mod copy;
pub(super) mod unapplied;
mod undo;

pub use copy::copy_many;
pub use undo::{UNDO_MINUTES, can_undo, changed_at, undo};

use super::{find, may_copy, may_delete, may_edit};
use crate::prelude::*;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::ids::{StatusId, TrackerId};
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_domain::values::text::is_blank;
use quarry_store::administration::custom_fields;
use quarry_store::issues;
use std::collections::HashSet;
use std::sync::Arc;
use unapplied::Changed;

/// Maximum number of issues that change at once.
pub const MAX_ISSUES: usize = 500;
/// Number of attempts for an issue whose change may depend on that of another, such as closing a
/// parent after its subtasks.
const MAX_ROUNDS: usize = 3;
/// The reason for issues that the viewer may not see or not edit.
const NOT_EDITABLE: &str = "it cannot be edited";

/// What is done with the selected issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkAction {
    Watch,
    Edit,
    Copy,
    Delete,
}

impl BulkAction {
    /// Whether the viewer may do it with an issue that they see.
    fn is_permitted(self, viewer: &Viewer, issue: &Issue) -> bool {
        match self {
            BulkAction::Watch => true,
            BulkAction::Edit => may_edit(viewer, issue),
            BulkAction::Copy => may_copy(viewer, issue),
            BulkAction::Delete => may_delete(viewer, issue),
        }
    }
}

/// What became of the selected issues.
#[derive(Debug, Default)]
pub struct BulkOutcome {
    /// The changed issues, or the copies.
    pub changed: Vec<IssueId>,
    /// The issues that had all values already.
    pub unchanged: Vec<IssueId>,
    /// The issues that did not change or have no copy, with the reason.
    pub refused: Vec<(IssueId, String)>,
}

/// Returns those of the issues that the viewer may see and for which the action is permitted, each
/// once, at most [`MAX_ISSUES`]. Others are as if they did not exist.
pub fn list_permitted(
    db: &Read<'_>,
    viewer: &Viewer,
    ids: &[IssueId],
    action: BulkAction,
) -> Result<Vec<Issue>, ActionError> {
    let mut visited: HashSet<IssueId> = HashSet::new();
    let mut found: Vec<Issue> = Vec::new();
    for id in ids {
        if found.len() == MAX_ISSUES {
            break;
        }
        if !visited.insert(*id) {
            continue;
        }
        match find(db, viewer, *id) {
            Ok(issue) if action.is_permitted(viewer, &issue) => found.push(issue),
            Ok(_) | Err(ActionError::NotFound | ActionError::Forbidden) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// Changes those of the issues that the viewer may see and edit.
pub fn update_many(
    db: &mut Write<'_>,
    viewer: &Viewer,
    ids: &[IssueId],
    change: &IssueChange,
) -> Result<BulkOutcome, ActionError> {
    let issues = list_permitted(db, viewer, ids, BulkAction::Edit)?;
    let changes = issues.iter().map(|issue| (issue.id, change.clone()));
    apply_all(db, viewer, changes.collect())
}

/// Changes the issues one after another, and again those whose change depended on others.
fn apply_all(
    db: &mut Write<'_>,
    viewer: &Viewer,
    changes: Vec<(IssueId, IssueChange)>,
) -> Result<BulkOutcome, ActionError> {
    let mut outcome = BulkOutcome::default();
    let mut open = changes;
    for round in 1..=MAX_ROUNDS {
        let count = open.len();
        let mut refused = Vec::new();
        for (id, change) in open {
            match apply(db, viewer, id, &change)? {
                Ok(true) => outcome.changed.push(id),
                Ok(false) => outcome.unchanged.push(id),
                Err(reason) => refused.push((id, change, reason)),
            }
        }
        let is_stuck = refused.len() == count || round == MAX_ROUNDS;
        if is_stuck || refused.is_empty() {
            let reasons = refused.into_iter();
            outcome.refused = reasons.map(|(id, _, reason)| (id, reason)).collect();
            break;
        }
        open = refused
            .into_iter()
            .map(|(id, change, _)| (id, change))
            .collect();
    }
    Ok(outcome)
}

/// Changes one issue. Returns whether it was different before, or the reason if it cannot get all
/// values; then it stays as it is.
fn apply(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: IssueId,
    change: &IssueChange,
) -> Result<Result<bool, String>, ActionError> {
    let has_note = change.notes.value().is_some_and(|note| !is_blank(note));
    let changed = db.attempt(|db| {
        let before = find(db, viewer, id)?;
        let old_values = custom_fields::find_values(db, Customized::Issue, id.0)?;
        let after = super::update(db, viewer, id, change, &[])?;
        let place = (before.project, before.tracker, before.status);
        let values = require_values(db, viewer, place, &after, change)?;
        Ok(has_note || before != after || values != old_values)
    });
    refusal(changed)
}

/// Fails if the issue, which was in this project, tracker and status before, does not have all
/// requested values. Returns those of its custom fields.
fn require_values(
    db: &Read<'_>,
    viewer: &Viewer,
    before: (ProjectId, TrackerId, StatusId),
    after: &Issue,
    change: &IssueChange,
) -> Result<Values, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let values = custom_fields::find_values(db, Customized::Issue, after.id.0)?;
    let visible_parent = match after.parent {
        Some(parent) => issues::visible_ids(db, viewer, &[parent.0])?
            .into_iter()
            .next(),
        None => None,
    };
    let changed = Changed {
        before,
        after,
        visible_parent,
        values: &values,
    };
    match unapplied::reason(&catalogue, viewer, &changed, change) {
        None => Ok(values),
        Some(reason) => Err(ActionError::invalid(reason)),
    }
}

/// Separates why one issue is refused, as a text, from errors that end the whole action.
fn refusal<T>(outcome: Result<T, ActionError>) -> Result<Result<T, String>, ActionError> {
    match outcome {
        Ok(value) => Ok(Ok(value)),
        Err(ActionError::Invalid(errors)) => Ok(Err(errors.messages().join("; "))),
        Err(ActionError::NotFound | ActionError::Forbidden) => Ok(Err(NOT_EDITABLE.to_owned())),
        Err(error) => Err(error),
    }
}
