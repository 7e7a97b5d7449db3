//! Changing an issue (contract 4.5).

use super::assignable;
use super::create::{described, may_set_private, roles};
use super::find::find;
use crate::actions::Refused;
use crate::domain::catalogue::{Catalogue, EnumerationKind};
use crate::domain::clock::Clock;
use crate::domain::ids::IssueId;
use crate::domain::issue::{Given, Issue, IssueChange};
use crate::domain::permission::Permission;
use crate::domain::text::is_blank;
use crate::domain::viewer::Viewer;
use crate::domain::workflow::Standing;
use crate::store::journals::{Detail, NewJournal};
use crate::store::{Write, issues, journals};
use std::sync::Arc;

/// Changes what the viewer may change, and adds the note; the issue as it is then. Attributes that the viewer may not set are
/// left alone. A request that changes nothing leaves no trace (contract part A).
///
/// # Errors
/// `NotFound`, `Forbidden` when the viewer may neither see it nor write on it, `Invalid` with the sentences of contract 4.4.
pub fn change(db: &mut Write<'_>, viewer: &Viewer, id: IssueId, asked: &IssueChange, clock: &dyn Clock) -> Result<Issue, Refused> {
    let catalogue = Arc::clone(db.catalogue());
    let before = find(db, viewer, id)?;
    let may_edit = may_edit(viewer, &before);
    let Some(user) = viewer.user.filter(|_| may_edit || viewer.may(Permission::AddIssueNotes, before.project)) else {
        return Err(Refused::Forbidden);
    };
    let mut after = if may_edit { changed(&catalogue, viewer, &before, asked, clock) } else { before.clone() };
    judge(&catalogue, &before, &after)?;
    let details = details(&before, &after);
    let notes = asked.notes.value().map(String::as_str).filter(|text| !is_blank(text));
    if details.is_empty() && notes.is_none() {
        return Ok(before);
    }
    after.updated_on = clock.now();
    issues::change(db, &after)?;
    let private = notes.is_some() && asked.private_notes.value() == Some(&true) && viewer.may(Permission::SetNotesPrivate, before.project);
    let entry = |notes, private, details| NewJournal { issue: id, user, notes, private, created_on: after.updated_on, details };
    if private && !details.is_empty() {
        // A private note does not hide what was changed (contract 4.2).
        journals::insert(db, &entry(None, false, &details))?;
        journals::insert(db, &entry(notes, true, &[]))?;
    } else {
        journals::insert(db, &entry(notes, private, &details))?;
    }
    Ok(after)
}

fn may_edit(viewer: &Viewer, issue: &Issue) -> bool {
    let own = viewer.user == Some(issue.author);
    viewer.may(Permission::EditIssues, issue.project) || (own && viewer.may(Permission::EditOwnIssues, issue.project))
}

fn changed(catalogue: &Catalogue, viewer: &Viewer, before: &Issue, asked: &IssueChange, clock: &dyn Clock) -> Issue {
    let mut after = before.clone();
    let project = catalogue.projects.get(&before.project);
    if let Some(tracker) = asked.tracker.value().filter(|tracker| project.is_some_and(|project| project.trackers.contains(tracker))) {
        after.tracker = *tracker;
    }
    if let Some(status) = asked.status.value() {
        let standing = Standing {
            author: viewer.user == Some(before.author),
            assignee: before.assignee.is_some_and(|assignee| viewer.principals.contains(&assignee)),
        };
        let next = catalogue.workflow.next(after.tracker, &roles(catalogue, viewer, before.project), Some(before.status), standing);
        if next.contains(status) {
            after.status = *status;
        }
    }
    if let Some(priority) = asked.priority.value() {
        after.priority = *priority;
    }
    match &asked.assignee {
        Given::Absent => {}
        Given::Empty => after.assignee = None,
        Given::Value(assignee) => after.assignee = Some(*assignee),
    }
    if asked.subject.is_mentioned() {
        after.subject = asked.subject.value().cloned().unwrap_or_default();
    }
    if asked.description.is_mentioned() {
        after.description = described(&asked.description);
    }
    if let Some(private) = asked.private.value().filter(|_| may_set_private(viewer, before.project, viewer.user == Some(before.author))) {
        after.private = *private;
    }
    let is_closed = |id| catalogue.status(id).is_some_and(|status| status.is_closed);
    after.closed_on = match (is_closed(before.status), is_closed(after.status)) {
        (_, false) => None,
        (true, true) => before.closed_on,
        (false, true) => Some(clock.now()),
    };
    after
}

fn judge(catalogue: &Catalogue, before: &Issue, after: &Issue) -> Result<(), Refused> {
    let mut complaints = after.complaints();
    if after.priority != before.priority
        && !catalogue.enumerations_of(EnumerationKind::IssuePriority).any(|value| value.id == after.priority)
    {
        complaints.add("Priority", "cannot be blank");
    }
    let kept = |assignee| before.assignee == Some(assignee) || assignee == before.author.into();
    if after.assignee.is_some_and(|assignee| !kept(assignee) && !assignable::in_project(catalogue, after.project, assignee)) {
        complaints.add("Assignee", "is invalid");
    }
    complaints.into_result().map_err(Refused::Invalid)
}

/// What has changed, attribute by attribute, in the words of contract 4.2.
fn details(before: &Issue, after: &Issue) -> Vec<Detail> {
    let switch = |on: bool| Some(if on { "1" } else { "0" }.to_owned());
    let attributes: [(&'static str, Option<String>, Option<String>); 7] = [
        ("subject", Some(before.subject.clone()), Some(after.subject.clone())),
        ("description", before.description.clone(), after.description.clone()),
        ("tracker_id", Some(before.tracker.to_string()), Some(after.tracker.to_string())),
        ("status_id", Some(before.status.to_string()), Some(after.status.to_string())),
        ("priority_id", Some(before.priority.to_string()), Some(after.priority.to_string())),
        ("assigned_to_id", before.assignee.map(|id| id.to_string()), after.assignee.map(|id| id.to_string())),
        ("is_private", switch(before.private), switch(after.private)),
    ];
    let changed = attributes.into_iter().filter(|(_, old, new)| old != new);
    changed.map(|(name, old_value, new_value)| Detail { property: "attr", name, old_value, new_value }).collect()
}
