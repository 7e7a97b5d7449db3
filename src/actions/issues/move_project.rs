//! Moving an issue to another project (compatibility 6.5).

use super::draft::Draft;
use super::parents;
use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::Clock;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::{ProjectId, TrackerId};
use crate::domain::issue::{Issue, IssueChange};
use crate::domain::permission::Permission;
use crate::domain::project::Project;
use crate::domain::setting::Setting;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, StoreError, Write, custom_fields, issues, relations, subtasks, time_entries};
use std::sync::Arc;

/// Moves the draft to the requested project if the viewer may add issues there; otherwise it stays, without an error.
pub(super) fn apply(catalogue: &Catalogue, viewer: &Viewer, draft: &mut Draft, change: &IssueChange) {
    let found = change.project.value().and_then(|reference| catalogue.project_by(reference));
    let Some((project, first)) = found.and_then(|project| Some((project, first_tracker(viewer, project)?))) else { return };
    if project.id != draft.issue.project && !addable(viewer, project).any(|tracker| tracker == draft.issue.tracker) {
        draft.issue.tracker = first;
    }
    draft.issue.project = project.id;
}

/// The trackers of which the viewer may add issues to the project, in their order.
fn addable<'p>(viewer: &'p Viewer, project: &'p Project) -> impl Iterator<Item = TrackerId> + 'p {
    project.trackers.iter().copied().filter(|tracker| viewer.may_on(Permission::AddIssues, project.id, *tracker))
}

/// Returns the default tracker of a new issue of the viewer; `None` if the viewer may add none.
pub(super) fn first_tracker(viewer: &Viewer, project: &Project) -> Option<TrackerId> {
    addable(viewer, project).next()
}

/// Whether an issue of the project can get the tracker from the viewer: not one for which the viewer's roles give no new issues, where
/// they give some.
pub(super) fn offers_tracker(viewer: &Viewer, project: ProjectId, tracker: TrackerId) -> bool {
    !viewer.may(Permission::AddIssues, project) || viewer.may_on(Permission::AddIssues, project, tracker)
}

/// Makes what the issue says fit the project and tracker in which it now is: a tracker that is not there becomes the first one
/// that is, the category that of the same name, a version that is not shared none, and values of fields that are not there go.
pub(super) fn reconcile(catalogue: &Catalogue, before: &Issue, draft: &mut Draft) {
    let moved = before.project != draft.issue.project;
    if moved {
        fit(catalogue, &mut draft.issue);
    }
    if moved || before.tracker != draft.issue.tracker {
        fit_values(catalogue, before, &draft.issue, &mut draft.values);
    }
}

fn fit(catalogue: &Catalogue, issue: &mut Issue) {
    let Some(project) = catalogue.projects.get(&issue.project) else { return };
    if !project.trackers.contains(&issue.tracker) {
        issue.tracker = project.trackers.first().copied().unwrap_or(issue.tracker);
    }
    if let Some(category) = issue.category.and_then(|id| catalogue.categories.get(&id)) {
        let mut same = catalogue.categories.values().filter(|other| other.project == issue.project);
        issue.category = same.find(|other| other.name == category.name).map(|other| other.id);
    }
    let version = issue.version.and_then(|id| catalogue.versions.get(&id));
    issue.version = version.filter(|version| catalogue.is_shared_with(version, issue.project)).map(|version| version.id);
}

/// Values of fields that the issue no longer has go. A field that it had and has, and that never had a value, has an empty one
/// from then on, as Redmine keeps it.
fn fit_values(catalogue: &Catalogue, before: &Issue, after: &Issue, values: &mut Values) {
    let has = |issue: &Issue, field: &crate::domain::custom_field::CustomField| field.is_in(issue.project, issue.tracker);
    for field in catalogue.custom_fields_of(Customized::Issue) {
        if has(before, field) && has(after, field) && values.get(field.id).is_none() {
            values.set(field.id, vec![String::new()]);
        }
    }
    values.retain(|id| catalogue.custom_fields.iter().any(|field| field.id == id && has(after, field)));
}

/// Takes the issue out of a parent below which it can no longer be.
pub(super) fn leave_parent(db: &Read<'_>, draft: &mut Draft) -> Result<(), StoreError> {
    let Some(parent) = draft.issue.parent else { return Ok(()) };
    let project = issues::find_any(db, parent)?.map(|parent| parent.project);
    if !project.is_some_and(|project| parents::may_be_below(db.catalogue(), project, draft.issue.project)) {
        draft.issue.parent = None;
    }
    Ok(())
}

/// Fails when the viewer may not see a subtask that would come along when the issue leaves its project: in another project, where
/// the viewer has other roles, it could be seen.
///
/// # Errors
/// `Invalid`, with a sentence that does not tell which subtask.
pub(super) fn check_subtasks(db: &Read<'_>, viewer: &Viewer, before: &Issue) -> Result<(), ActionError> {
    for id in subtasks::descendants(db, before.id)? {
        let moved = issues::find_any(db, id)?.filter(|part| part.project == before.project);
        if moved.is_some_and(|part| !visibility::issues(viewer).matches(&part.access_attributes())) {
            let sentence = "Project cannot be changed because the issue has subtasks that you cannot see";
            return Err(ActionError::Invalid(vec![sentence.to_owned()]));
        }
    }
    Ok(())
}

/// Takes along what belongs to the issue: its time entries, its parts that were in the same project with theirs, and, where
/// issues of several projects may not be related, breaks off its relations.
pub(super) fn move_subtasks(db: &mut Write<'_>, before: &Issue, after: &Issue, clock: &dyn Clock) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    leave(db, &catalogue, after)?;
    for id in subtasks::descendants(db, after.id)? {
        let Some(part) = issues::find_any(db, id)?.filter(|part| part.project == before.project) else { continue };
        let values = custom_fields::find_values(db, Customized::Issue, id.0)?;
        let mut draft = Draft { issue: part.clone(), values, wrong: Default::default() };
        draft.issue.project = after.project;
        reconcile(&catalogue, &part, &mut draft);
        leave_parent(db, &mut draft)?;
        draft.issue.updated_on = clock.now();
        issues::update(db, &draft.issue)?;
        custom_fields::update(db, Customized::Issue, id.0, &draft.values)?;
        leave(db, &catalogue, &draft.issue)?;
    }
    Ok(())
}

fn leave(db: &mut Write<'_>, catalogue: &Catalogue, issue: &Issue) -> Result<(), StoreError> {
    time_entries::set_project_by_issue(db, issue.id, issue.project)?;
    if !catalogue.is_on(Setting::CrossProjectIssueRelations) {
        relations::delete_by_issue(db, issue.id)?;
    }
    Ok(())
}
