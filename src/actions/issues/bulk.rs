//! Changes many issues at once, and takes such a change back. Every issue goes through
//! [`super::update`], and gets all requested values or none.

use super::draft::{Draft, InvalidFields};
use super::{find, update};
use crate::ActionError;
use jiff::{Timestamp, ToSpan};
use quarry_domain::access::permission::Permission;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{CustomFieldId, IssueId, PrincipalId};
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_domain::issues::journal::JournalDetail;
use quarry_domain::values::patch::Patch;
use quarry_store::administration::custom_fields;
use quarry_store::issues::journals;
use quarry_store::{Read, Write};
use std::sync::Arc;

/// Maximum number of issues that change at once.
pub const MAX_ISSUES: usize = 500;
/// How long a change can be taken back, in minutes.
pub const UNDO_MINUTES: i64 = 10;
/// Number of attempts for an issue whose change may depend on that of another, such as closing a
/// parent after its subtasks.
const MAX_ROUNDS: usize = 3;

/// What became of a change.
#[derive(Debug, Default)]
pub struct BulkOutcome {
    pub changed: Vec<IssueId>,
    /// The issues that did not change, with the reason.
    pub refused: Vec<(IssueId, String)>,
}

/// Returns those of the issues that the viewer may see and edit, each once, at most [`MAX_ISSUES`].
/// Others are as if they did not exist.
pub fn list_editable(
    db: &Read<'_>,
    viewer: &Viewer,
    ids: &[IssueId],
) -> Result<Vec<Issue>, ActionError> {
    let mut found: Vec<Issue> = Vec::new();
    for id in ids {
        match find(db, viewer, *id) {
            Ok(issue)
                if update::may_edit(viewer, &issue)
                    && found.len() < MAX_ISSUES
                    && found.iter().all(|other| other.id != *id) =>
            {
                found.push(issue);
            }
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
    let issues = list_editable(db, viewer, ids)?;
    let changes = issues.iter().map(|issue| (issue.id, change.clone()));
    apply_all(db, viewer, changes.collect())
}

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
    let mut refused = Vec::new();
    for issue in list_editable(db, viewer, ids)? {
        let Some(details) = details_at(db, viewer, issue.id, at)? else {
            continue;
        };
        if issue.updated_on == at {
            changes.push((issue.id, previous(&details)));
        } else {
            refused.push((issue.id, "it has been changed meanwhile".to_owned()));
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
    for issue in list_editable(db, viewer, ids)? {
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
    let mut own = journals
        .into_iter()
        .filter(|journal| Some(journal.user) == viewer.user && journal.created_on == at);
    Ok(own
        .find(|journal| !journal.details.is_empty())
        .map(|journal| journal.details))
}

/// Returns the change that restores the values before these details.
fn previous(details: &[JournalDetail]) -> IssueChange {
    let mut change = IssueChange::default();
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
            ("attr", "is_private") => {
                change.private = Patch::Set(matches!(old.as_deref(), Some("1" | "true")));
            }
            ("cf", id) => {
                if let Ok(id) = id.parse().map(CustomFieldId) {
                    // A field of several values has one detail for each.
                    match change.custom.iter_mut().find(|(other, _)| *other == id) {
                        Some((_, values)) => values.extend(old),
                        None => change.custom.push((id, old.into_iter().collect())),
                    }
                }
            }
            _ => {}
        }
    }
    change
}

fn reference<Id: From<i64>>(id: Option<i64>) -> Patch<Id> {
    id.map_or(Patch::Clear, |id| Patch::Set(Id::from(id)))
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
                None => outcome.changed.push(id),
                Some(reason) => refused.push((id, change, reason)),
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

/// Changes one issue. Returns the reason if it cannot get all values; then it stays as it is,
/// because [`super::update`] validates before it writes.
fn apply(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: IssueId,
    change: &IssueChange,
) -> Result<Option<String>, ActionError> {
    let refused = |error| match error {
        ActionError::Invalid(errors) => Ok(Some(errors.messages().join("; "))),
        ActionError::NotFound | ActionError::Forbidden => {
            Ok(Some("it cannot be edited".to_owned()))
        }
        error => Err(error),
    };
    let catalogue = Arc::clone(db.catalogue());
    let reason = find(db, viewer, id).and_then(|before| {
        let mut draft = Draft {
            values: custom_fields::find_values(db, Customized::Issue, id.0)?,
            issue: before.clone(),
            invalid: InvalidFields::default(),
        };
        update::apply(db, &catalogue, viewer, &before, &mut draft, change)?;
        Ok(unmet(&catalogue, viewer, &before, &draft, change))
    });
    match reason {
        Ok(None) => {}
        Ok(reason) => return Ok(reason),
        Err(error) => return refused(error),
    }
    match super::update(db, viewer, id, change, &[]) {
        Ok(_) => Ok(None),
        Err(error) => refused(error),
    }
}

/// Returns why the draft does not have a requested value.
fn unmet(
    catalogue: &Catalogue,
    viewer: &Viewer,
    before: &Issue,
    draft: &Draft,
    change: &IssueChange,
) -> Option<String> {
    let after = &draft.issue;
    if let Some(reference) = change.project.value()
        && catalogue.project_by(reference).map(|project| project.id) != Some(after.project)
    {
        return Some("it cannot move to this project".to_owned());
    }
    if change
        .tracker
        .value()
        .is_some_and(|id| *id != after.tracker)
    {
        return Some("it cannot have this tracker".to_owned());
    }
    if let Some(status) = change.status.value().filter(|id| **id != after.status) {
        let name = |id| {
            catalogue
                .status(id)
                .map_or("?", |status| status.name.as_str())
        };
        let old = name(before.status);
        return Some(format!(
            "no transition from {old} to {} for your roles",
            name(*status)
        ));
    }
    let has_note = change
        .notes
        .value()
        .is_some_and(|note| !note.trim().is_empty());
    if has_note && !viewer.may_on(Permission::AddIssueNotes, before.project, before.tracker) {
        return Some("you cannot add notes to it".to_owned());
    }
    let assignee = after.assignee.map(PrincipalId::from);
    let fields = [
        ("Priority", differs(&change.priority, Some(after.priority))),
        ("Assignee", differs(&change.assignee, assignee)),
        ("Category", differs(&change.category, after.category)),
        ("Target version", differs(&change.version, after.version)),
        (
            "Start date",
            !draft.invalid.start_date
                && differs(
                    &change.start_date,
                    after.start_date.map(|day| day.to_string()),
                ),
        ),
        (
            "Due date",
            !draft.invalid.due_date
                && differs(&change.due_date, after.due_date.map(|day| day.to_string())),
        ),
        (
            "% Done",
            !draft.invalid.done_ratio
                && differs(&change.done_ratio, Some(after.done_ratio.to_string())),
        ),
        ("Private", differs(&change.private, Some(after.private))),
    ];
    if let Some((label, _)) = fields.iter().find(|(_, differs)| *differs) {
        return Some(format!("{label} cannot be set for it"));
    }
    let values = |values: &[String]| {
        let mut values: Vec<String> = values
            .iter()
            .filter(|value| !value.is_empty())
            .cloned()
            .collect();
        values.sort_unstable();
        values
    };
    let mut custom = change.custom.iter();
    let unset = custom.find(|(id, requested)| {
        values(draft.values.get(*id).unwrap_or_default()) != values(requested)
    });
    unset.map(|(id, _)| {
        let field = catalogue
            .custom_fields
            .iter()
            .find(|field| field.id == *id && field.is_visible_somewhere(viewer));
        let name = field.map_or("A field", |field| field.name.as_str());
        format!("{name} cannot be set for it")
    })
}

/// Whether the value is not the requested one.
fn differs<T: PartialEq>(requested: &Patch<T>, value: Option<T>) -> bool {
    match requested {
        Patch::Unset => false,
        Patch::Clear => value.is_some(),
        Patch::Set(requested) => value.as_ref() != Some(requested),
    }
}
