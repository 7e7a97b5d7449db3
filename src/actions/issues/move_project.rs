//! Moves issues to another project (compatibility 6.5).

use super::draft::Draft;
use super::parents;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::TrackerId;
use quarry_domain::issues::issue::{Issue, IssueChange};
use quarry_domain::projects::project::Project;
use quarry_store::administration::custom_fields;
use quarry_store::issues;
use quarry_store::issues::{relations, subtasks, time_entries};
use std::sync::Arc;

/// Moves the draft to the requested project if the viewer may add issues there; otherwise it stays,
/// without an error.
pub(super) fn apply(
    catalogue: &Catalogue,
    viewer: &Viewer,
    draft: &mut Draft,
    change: &IssueChange,
) {
    let target = change
        .project
        .value()
        .and_then(|reference| catalogue.project_by(reference));
    let Some((project, default_tracker)) =
        target.and_then(|project| Some((project, first_tracker(viewer, project)?)))
    else {
        return;
    };
    if project.id != draft.issue.project
        && !addable_trackers(viewer, project).any(|tracker| tracker == draft.issue.tracker)
    {
        draft.issue.tracker = default_tracker;
    }
    draft.issue.project = project.id;
}

/// Returns the trackers of which the viewer may add issues to the project, by position.
pub(super) fn addable_trackers<'p>(
    viewer: &'p Viewer,
    project: &'p Project,
) -> impl Iterator<Item = TrackerId> + 'p {
    project
        .trackers
        .iter()
        .copied()
        .filter(|tracker| viewer.may_on(Permission::AddIssues, project.id, *tracker))
}

/// Returns the default tracker of a new issue of the viewer; `None` if the viewer may add none.
pub(super) fn first_tracker(viewer: &Viewer, project: &Project) -> Option<TrackerId> {
    addable_trackers(viewer, project).next()
}

/// Whether the viewer may give issues of the project the tracker: any if the viewer may not add
/// issues at all, otherwise those of which the viewer may add issues.
pub(super) fn offers_tracker(viewer: &Viewer, project: ProjectId, tracker: TrackerId) -> bool {
    !viewer.may(Permission::AddIssues, project)
        || viewer.may_on(Permission::AddIssues, project, tracker)
}

/// Adapts the attributes to a new project or tracker: a tracker that the project does not have
/// becomes its first one, the category becomes the one with the same name, a version that is not
/// shared is cleared, values of other custom fields are removed, new ones get their default, and
/// what a new tracker has disabled is cleared.
pub(super) fn reconcile(catalogue: &Catalogue, before: &Issue, draft: &mut Draft) {
    let moved = before.project != draft.issue.project;
    if moved {
        fit_to_project(catalogue, &mut draft.issue);
    }
    if moved || before.tracker != draft.issue.tracker {
        fit_values(catalogue, before, &draft.issue, &mut draft.values);
    }
    if before.tracker != draft.issue.tracker {
        draft.clear_disabled_fields(catalogue);
    }
}

fn fit_to_project(catalogue: &Catalogue, issue: &mut Issue) {
    let Some(project) = catalogue.projects.get(&issue.project) else {
        return;
    };
    if !project.trackers.contains(&issue.tracker) {
        issue.tracker = project.trackers.first().copied().unwrap_or(issue.tracker);
    }
    if let Some(category) = issue.category.and_then(|id| catalogue.categories.get(&id)) {
        let mut categories = catalogue
            .categories
            .values()
            .filter(|category| category.project == issue.project);
        issue.category = categories
            .find(|candidate| candidate.name == category.name)
            .map(|candidate| candidate.id);
    }
    let version = issue.version.and_then(|id| catalogue.versions.get(&id));
    issue.version = version
        .filter(|version| catalogue.is_shared_with(version, issue.project))
        .map(|version| version.id);
}

/// Removes the values of fields that the issue no longer has, and sets the defaults of those that
/// it gets, blank ones too. A field that it keeps and that never had a value gets an empty one, as
/// in Redmine.
fn fit_values(catalogue: &Catalogue, before: &Issue, after: &Issue, values: &mut Values) {
    for field in catalogue
        .custom_fields_of(Customized::Issue)
        .filter(|field| field.is_in(after.project, after.tracker))
    {
        if values.get(field.id).is_some() {
            continue;
        }
        if field.is_in(before.project, before.tracker) {
            values.set(field.id, vec![String::new()]);
        } else if let Some(default) = &field.default {
            values.set(field.id, vec![default.clone()]);
        }
    }
    values.retain(|id| {
        catalogue
            .custom_fields
            .iter()
            .any(|field| field.id == id && field.is_in(after.project, after.tracker))
    });
}

/// Clears the parent if the issue can no longer be its subtask.
pub(super) fn leave_parent(db: &Read<'_>, draft: &mut Draft) -> Result<(), StoreError> {
    let Some(parent) = draft.issue.parent else {
        return Ok(());
    };
    let project = issues::find_any(db, parent)?.map(|parent| parent.project);
    if !project.is_some_and(|project| {
        parents::may_be_subtask(db.catalogue(), project, draft.issue.project)
    }) {
        draft.issue.parent = None;
    }
    Ok(())
}

/// Fails if the viewer may not see a subtask that would move along: it could become visible in the
/// new project.
///
/// # Errors
/// `Invalid`, with a message that does not tell which subtask.
pub(super) fn check_subtasks(
    db: &Read<'_>,
    viewer: &Viewer,
    before: &Issue,
) -> Result<(), ActionError> {
    for id in subtasks::descendants(db, before.id)? {
        let moving = issues::find_any(db, id)?.filter(|subtask| subtask.project == before.project);
        if moving.is_some_and(|subtask| {
            !visibility::issues(viewer).matches(&subtask.access_attributes())
        }) {
            let message = "cannot be changed because the issue has subtasks that you cannot see";
            return Err(ActionError::invalid_attribute(
                "project_id",
                "Project",
                message,
            ));
        }
    }
    Ok(())
}

/// Checks that the new project has the trackers of all subtasks that would move along, because
/// subtasks keep their trackers.
///
/// # Errors
/// `Invalid`, with the message of compatibility 6.5.
pub(super) fn check_trackers_of_subtasks(
    db: &Read<'_>,
    before: &Issue,
    target: ProjectId,
) -> Result<(), ActionError> {
    if before.project == target {
        return Ok(());
    }
    for id in subtasks::descendants(db, before.id)? {
        let moving = issues::find_any(db, id)?.filter(|subtask| subtask.project == before.project);
        if moving.is_some_and(|subtask| {
            !db.catalogue()
                .projects
                .get(&target)
                .is_some_and(|project| project.trackers.contains(&subtask.tracker))
        }) {
            let message = format!(
                "Subtask #{id} could not be moved to the new project: Tracker is not included in the list"
            );
            return Err(ActionError::invalid(message));
        }
    }
    Ok(())
}

/// Moves the subtasks of the same project along, and the time entries of all of them. Deletes their
/// relations unless relations across projects are allowed.
pub(super) fn move_subtasks(
    db: &mut Write<'_>,
    before: &Issue,
    after: &Issue,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    move_dependents(db, &catalogue, after)?;
    for id in subtasks::descendants(db, after.id)? {
        let Some(subtask) =
            issues::find_any(db, id)?.filter(|subtask| subtask.project == before.project)
        else {
            continue;
        };
        let values = custom_fields::find_values(db, Customized::Issue, id.0)?;
        let mut draft = Draft {
            issue: subtask.clone(),
            values,
            invalid: Default::default(),
        };
        draft.issue.project = after.project;
        reconcile(&catalogue, &subtask, &mut draft);
        leave_parent(db, &mut draft)?;
        draft.issue.updated_on = db.now();
        issues::update(db, &draft.issue)?;
        custom_fields::update(db, Customized::Issue, id.0, &draft.values)?;
        move_dependents(db, &catalogue, &draft.issue)?;
    }
    Ok(())
}

/// Moves the time entries of the issue to its project, and deletes its relations unless they may
/// cross projects.
fn move_dependents(
    db: &mut Write<'_>,
    catalogue: &Catalogue,
    issue: &Issue,
) -> Result<(), StoreError> {
    time_entries::set_project_by_issue(db, issue.id, issue.project)?;
    if !catalogue.is_on(Setting::CrossProjectIssueRelations) {
        relations::delete_by_issue(db, issue.id)?;
    }
    Ok(())
}
