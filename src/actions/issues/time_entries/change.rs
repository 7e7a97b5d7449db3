//! Finds, creates, updates and deletes time entries (compatibility 9).

use super::draft::{Draft, InvalidFields, NO_ACTIVITY};
use super::validate::validate;
use crate::issues;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::administration::enumeration::{Enumeration, EnumerationKind};
use quarry_domain::administration::time_zone;
use quarry_domain::ids::{EnumerationId, TimeEntryId};
use quarry_domain::issues::time_entry::{TimeEntry, TimeEntryChange};
use quarry_domain::projects::module::Module;
use quarry_domain::projects::project::ProjectStatus;
use quarry_store as store;
use quarry_store::administration::custom_fields;
use quarry_store::issues::time_entries;
use std::sync::Arc;

/// Returns the time entry if the viewer may see it (compatibility 9).
pub fn find(db: &Read<'_>, viewer: &Viewer, id: TimeEntryId) -> Result<TimeEntry, ActionError> {
    let entry = time_entries::find(db, id)?.ok_or(ActionError::NotFound)?;
    if visibility::time_entries(viewer).matches(&entry.access_attributes()) {
        Ok(entry)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// The project or issue that the path of the request selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogTarget {
    /// None; the request has them as attributes.
    Requested,
    /// This project, whatever the attributes are.
    Project(ProjectId),
    /// This issue, whatever the attributes are.
    Issue(IssueId),
}

/// Creates a time entry, and returns it as stored.
///
/// # Errors
/// `Forbidden` if the viewer may not log time in the requested project, or in any project if none
/// is requested. `NotFound` and `Forbidden` for the issue in the path. `Invalid` with the messages
/// of compatibility 9.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    target: LogTarget,
    change: &TimeEntryChange,
) -> Result<TimeEntry, ActionError> {
    let target = ResolvedTarget::resolve(db, viewer, target, change)?;
    let permitted = match target.project {
        Some(project) => viewer.may(Permission::LogTime, project),
        None => viewer.may_somewhere(Permission::LogTime),
    };
    let Some(user) = viewer.user.filter(|_| permitted) else {
        return Err(ActionError::Forbidden);
    };
    let activity = match target.project {
        Some(project) => db.catalogue().default_activity(project),
        None => db
            .catalogue()
            .default_enumeration(EnumerationKind::TimeEntryActivity),
    };
    let activity = activity.map(|activity| activity.id);
    let now = db.now();
    let entry = TimeEntry {
        project: target.project.unwrap_or_default(),
        issue: target.issue,
        user,
        author: user,
        activity: activity.unwrap_or(NO_ACTIVITY),
        spent_on: time_zone::date_for_user(db.catalogue(), viewer.user, now),
        created_on: now,
        updated_on: now,
        ..TimeEntry::default()
    };
    let mut draft = Draft {
        entry,
        values: Values::default(),
        invalid: target.invalid,
    };
    draft.values = Values::defaults(draft.fields(db.catalogue(), viewer).into_iter());
    // Blank values mean the default activity and the viewer.
    let user = non_blank(&change.user);
    let activity = non_blank(&change.activity);
    let hours = if change.hours.is_present() {
        change.hours.clone()
    } else {
        Patch::Clear
    };
    draft.apply(
        db.catalogue(),
        viewer,
        &TimeEntryChange {
            user,
            activity,
            hours,
            ..change.clone()
        },
    );
    validate(db, viewer, None, &draft)?;
    let id = time_entries::insert(db, &draft.entry)?;
    custom_fields::update(db, Customized::TimeEntry, id.0, &draft.values)?;
    Ok(TimeEntry { id, ..draft.entry })
}

fn non_blank<T: Clone>(patch: &Patch<T>) -> Patch<T> {
    patch
        .value()
        .map_or(Patch::Unset, |value| Patch::Set(value.clone()))
}

/// The requested project and issue, and which of them are invalid.
struct ResolvedTarget {
    project: Option<ProjectId>,
    issue: Option<IssueId>,
    invalid: InvalidFields,
}

impl ResolvedTarget {
    fn resolve(
        db: &Read<'_>,
        viewer: &Viewer,
        target: LogTarget,
        change: &TimeEntryChange,
    ) -> Result<ResolvedTarget, ActionError> {
        let mut resolved = ResolvedTarget {
            project: None,
            issue: None,
            invalid: InvalidFields::default(),
        };
        if let LogTarget::Issue(id) = target {
            let issue = issues::find(db, viewer, id)?;
            (resolved.project, resolved.issue) = (Some(issue.project), Some(issue.id));
            return Ok(resolved);
        }
        let project = match (target, change.project.value()) {
            (LogTarget::Project(project), _) => Some(project),
            (_, Some(reference)) => {
                // A hidden project is answered like one that does not exist.
                let project = db
                    .catalogue()
                    .project_by(reference)
                    .map(|project| project.id)
                    .filter(|project| viewer.admin || viewer.sees(*project));
                resolved.invalid.project = project.is_none();
                project
            }
            (_, None) => None,
        };
        let visible_issue = match change.issue.value() {
            Some(id) => store::issues::find(db, visibility::issues(viewer), *id)?,
            None => None,
        };
        let issue = visible_issue.filter(|issue| viewer.may(Permission::LogTime, issue.project));
        resolved.project = project.or_else(|| {
            issue
                .as_ref()
                .filter(|_| !resolved.invalid.project)
                .map(|issue| issue.project)
        });
        resolved.issue = issue
            .filter(|issue| Some(issue.project) == resolved.project)
            .map(|issue| issue.id);
        resolved.invalid.issue = change.issue.value().is_some() && resolved.issue.is_none();
        // An issue that is hidden, or on which the viewer may not log time, is answered like one that
        // does not exist, and its project is not revealed (compatibility 9).
        resolved.invalid.no_project = resolved.project.is_none() && !resolved.invalid.project;
        Ok(resolved)
    }
}

/// Updates a time entry, and returns it. Requires the permission to edit time entries, or to edit
/// own ones for the viewer's own (compatibility 9). Writes nothing if nothing changes
/// (compatibility 2.2).
///
/// # Errors
/// `Invalid` with the messages of compatibility 9.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: TimeEntryId,
    change: &TimeEntryChange,
) -> Result<TimeEntry, ActionError> {
    let before = time_entries::find(db, id)?.ok_or(ActionError::NotFound)?;
    if !may_edit(viewer, &before) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let values = custom_fields::find_values(db, Customized::TimeEntry, id.0)?;
    let mut draft = Draft {
        entry: before.clone(),
        values: values.clone(),
        invalid: InvalidFields::default(),
    };
    apply_target(db, viewer, &mut draft, change)?;
    adapt_activity(&catalogue, &before, &mut draft.entry);
    draft.apply(&catalogue, viewer, change);
    keep_hidden_comment(db, viewer, &before, &mut draft)?;
    validate(db, viewer, Some((&before, &values)), &draft)?;
    if draft.entry == before && draft.values == values {
        return Ok(before);
    }
    let after = TimeEntry {
        updated_on: db.now(),
        ..draft.entry
    };
    time_entries::update(db, &after)?;
    custom_fields::update(db, Customized::TimeEntry, id.0, &draft.values)?;
    Ok(after)
}

/// Makes the issue invalid if the change would give time with a hidden comment to another person or another issue:
/// the comment of time on an issue that the viewer may not see could be read then.
fn keep_hidden_comment(
    db: &Read<'_>,
    viewer: &Viewer,
    before: &TimeEntry,
    draft: &mut Draft,
) -> Result<(), StoreError> {
    let after = &draft.entry;
    let is_kept = before.comments.is_some() && after.comments == before.comments;
    let moves = after.issue != before.issue || after.user != before.user;
    if !is_kept || !moves || viewer.user == Some(before.user) {
        return Ok(());
    }
    if let Some(issue) = before.issue
        && store::issues::find(db, visibility::issues(viewer), issue)?.is_none()
    {
        draft.invalid.issue = true;
    }
    Ok(())
}

/// Whether the viewer may update the time entry.
pub fn may_edit(viewer: &Viewer, entry: &TimeEntry) -> bool {
    let may_edit_own = viewer.user == Some(entry.user)
        && viewer.may(Permission::EditOwnTimeEntries, entry.project);
    may_edit_own
        || (viewer.may(Permission::EditTimeEntries, entry.project)
            && visibility::time_entries(viewer).matches(&entry.access_attributes()))
}

/// Moves the draft to the requested project and issue. Without a requested project, it moves to the
/// project of the issue. A hidden issue counts as none.
fn apply_target(
    db: &Read<'_>,
    viewer: &Viewer,
    draft: &mut Draft,
    change: &TimeEntryChange,
) -> Result<(), StoreError> {
    let before = draft.entry.clone();
    let may_log = |project| project == before.project || viewer.may(Permission::LogTime, project);
    if let Some(reference) = change.project.value() {
        match db
            .catalogue()
            .project_by(reference)
            .map(|project| project.id)
            .filter(|project| may_log(*project))
        {
            Some(project) => draft.entry.project = project,
            None => draft.invalid.project = true,
        }
    }
    let issue_id = match &change.issue {
        Patch::Unset if draft.entry.project == before.project => return Ok(()),
        Patch::Unset => before.issue,
        Patch::Clear => None,
        Patch::Set(id) => Some(*id),
    };
    let issue = match issue_id {
        Some(id) => store::issues::find(db, visibility::issues(viewer), id)?,
        None => None,
    };
    let has_project = change.project.is_present();
    draft.entry.issue = None;
    match issue {
        Some(issue) if issue.project == draft.entry.project => draft.entry.issue = Some(issue.id),
        Some(issue) if !has_project && may_log(issue.project) => {
            (draft.entry.issue, draft.entry.project) = (Some(issue.id), issue.project)
        }
        Some(_) => draft.invalid.issue = true,
        None => draft.invalid.issue = change.issue.value().is_some(),
    }
    Ok(())
}

/// Replaces the activity after a move to another project by the one with the same shared activity
/// or the same name.
fn adapt_activity(catalogue: &Catalogue, before: &TimeEntry, entry: &mut TimeEntry) {
    let Some(old) = catalogue
        .enumeration(entry.activity)
        .filter(|_| before.project != entry.project)
    else {
        return;
    };
    let equivalent = catalogue
        .activities_of(entry.project)
        .find(|new| new.id == old.id)
        .or_else(|| {
            catalogue
                .activities_of(entry.project)
                .find(|new| root_of(new) == root_of(old))
        });
    if let Some(new) = equivalent
        .or_else(|| {
            catalogue
                .activities_of(entry.project)
                .find(|new| new.name == old.name)
        })
        .map(|new| new.id)
    {
        entry.activity = new;
    }
}

fn root_of(value: &Enumeration) -> EnumerationId {
    value.parent.unwrap_or(value.id)
}

/// Deletes a time entry. Requires the permission to edit time entries, unless it is the viewer's
/// own (compatibility 9). An access token needs the scope for that.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: TimeEntryId) -> Result<(), ActionError> {
    let entry = time_entries::find(db, id)?.ok_or(ActionError::NotFound)?;
    if !may_delete(db.catalogue(), viewer, &entry) {
        return Err(ActionError::Forbidden);
    }
    time_entries::delete(db, id)?;
    Ok(())
}

/// Whether the viewer may delete the time entry.
pub fn may_delete(catalogue: &Catalogue, viewer: &Viewer, entry: &TimeEntry) -> bool {
    let may_edit = viewer.may(Permission::EditTimeEntries, entry.project)
        && visibility::time_entries(viewer).matches(&entry.access_attributes());
    may_edit || is_own(catalogue, viewer, entry)
}

/// Whether the time is the viewer's own, in a visible, active project with time tracking.
fn is_own(catalogue: &Catalogue, viewer: &Viewer, entry: &TimeEntry) -> bool {
    let project = catalogue
        .projects
        .get(&entry.project)
        .filter(|_| viewer.rights(entry.project).is_some());
    let tracks_time = project.is_some_and(|project| {
        project.status == ProjectStatus::Active && project.modules.contains(Module::TimeTracking)
    });
    tracks_time
        && viewer.user == Some(entry.user)
        && viewer.has_scope(Permission::EditOwnTimeEntries)
}
