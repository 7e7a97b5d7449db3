//! Creates time entries (compatibility 9).

use super::draft::{Draft, InvalidFields, NO_ACTIVITY};
use super::validate::validate;
use crate::actions::{ActionError, issues};
use crate::domain::catalogue::EnumerationKind;
use crate::domain::clock::Clock;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::{IssueId, ProjectId, TimeEntryId};
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::time_entry::{TimeEntry, TimeEntryChange};
use crate::domain::time_zone;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, Write, custom_fields, issues as store_issues, time_entries};

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
    clock: &dyn Clock,
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
    let now = clock.now();
    let entry = TimeEntry {
        id: TimeEntryId(0),
        project: target.project.unwrap_or(ProjectId(0)),
        issue: target.issue,
        user,
        author: user,
        activity: activity.unwrap_or(NO_ACTIVITY),
        hours: 0.0,
        comments: None,
        spent_on: time_zone::date_for_user(db.catalogue(), viewer.user, now),
        created_on: now,
        updated_on: now,
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
    validate(db, viewer, None, &draft, clock)?;
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
                let project = db
                    .catalogue()
                    .project_by(reference)
                    .map(|project| project.id);
                resolved.invalid.project = project.is_none();
                project
            }
            (_, None) => None,
        };
        let visible_issue = match change.issue.value() {
            Some(id) => store_issues::find(db, visibility::issues(viewer), *id)?,
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
        // The project of an issue that is hidden, or on which the viewer may not log time, is not
        // revealed (compatibility 9).
        let is_hidden = match change.issue.value() {
            Some(id) if resolved.invalid.issue => store_issues::exists(db, *id)?,
            _ => false,
        };
        resolved.invalid.no_project =
            resolved.project.is_none() && !resolved.invalid.project && !is_hidden;
        Ok(resolved)
    }
}
