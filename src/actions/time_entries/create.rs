//! Logging time (compatibility 9).

use super::draft::{Draft, InvalidFields, NO_ACTIVITY};
use super::validate::validate;
use crate::actions::{ActionError, issues};
use crate::domain::clock::Clock;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::{IssueId, ProjectId, TimeEntryId};
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::time_entry::{TimeEntry, TimeEntryChange};
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, Write, custom_fields, issues as store_issues, time_entries};

/// Where time is logged, according to the path of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Wherever the request says.
    Anywhere,
    /// In this project, whatever the request says.
    Project(ProjectId),
    /// On this issue, whatever the request says.
    Issue(IssueId),
}

/// Creates a time entry, and returns it as stored.
///
/// # Errors
/// `Forbidden` when the viewer may not log time in the project, or nowhere when none is named; `NotFound` and `Forbidden` for the
/// issue that the address names; `Invalid` with the sentences of compatibility 9 otherwise.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    place: Place,
    change: &TimeEntryChange,
    clock: &dyn Clock,
) -> Result<TimeEntry, ActionError> {
    let target = Target::of(db, viewer, place, change)?;
    let permitted = match target.project {
        Some(project) => viewer.may(Permission::LogTime, project),
        None => viewer.may_somewhere(Permission::LogTime),
    };
    let Some(user) = viewer.user.filter(|_| permitted) else { return Err(ActionError::Forbidden) };
    let activity = target.project.and_then(|project| db.catalogue().default_activity(project)).map(|activity| activity.id);
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
        spent_on: clock.today(),
        created_on: now,
        updated_on: now,
    };
    let mut draft = Draft { entry, values: Values::default(), wrong: target.wrong };
    draft.values = Values::defaults(draft.fields(db.catalogue(), viewer).into_iter());
    // Without these the default activity and the viewer are meant.
    let (user, activity) = (non_blank(&change.user), non_blank(&change.activity));
    let hours = if change.hours.is_present() { change.hours.clone() } else { Patch::Clear };
    draft.take(db.catalogue(), viewer, &TimeEntryChange { user, activity, hours, ..change.clone() });
    validate(db, viewer, None, &draft, clock)?;
    let id = time_entries::insert(db, &draft.entry)?;
    custom_fields::update(db, Customized::TimeEntry, id.0, &draft.values)?;
    Ok(TimeEntry { id, ..draft.entry })
}

fn non_blank<T: Clone>(given: &Patch<T>) -> Patch<T> {
    given.value().map_or(Patch::Unset, |value| Patch::Set(value.clone()))
}

/// Where the time is to be logged, and what of that cannot be.
struct Target {
    project: Option<ProjectId>,
    issue: Option<IssueId>,
    wrong: InvalidFields,
}

impl Target {
    fn of(db: &Read<'_>, viewer: &Viewer, place: Place, change: &TimeEntryChange) -> Result<Target, ActionError> {
        let mut target = Target { project: None, issue: None, wrong: InvalidFields::default() };
        if let Place::Issue(id) = place {
            let issue = issues::find(db, viewer, id)?;
            (target.project, target.issue) = (Some(issue.project), Some(issue.id));
            return Ok(target);
        }
        let named = match (place, change.project.value()) {
            (Place::Project(project), _) => Some(project),
            (_, Some(reference)) => {
                let found = db.catalogue().project_by(reference).map(|project| project.id);
                target.wrong.project = found.is_none();
                found
            }
            (_, None) => None,
        };
        let issue = match change.issue.value() {
            Some(id) => store_issues::find(db, visibility::issues(viewer), *id)?,
            None => None,
        };
        target.project = named.or_else(|| issue.as_ref().filter(|_| !target.wrong.project).map(|issue| issue.project));
        target.issue = issue.filter(|issue| Some(issue.project) == target.project).map(|issue| issue.id);
        target.wrong.issue = change.issue.value().is_some() && target.issue.is_none();
        // Of an issue that the viewer may not see, not even the project is told: it is there, and that is all (compatibility 9).
        let hidden = match change.issue.value() {
            Some(id) if target.wrong.issue => store_issues::exists(db, *id)?,
            _ => false,
        };
        target.wrong.no_project = target.project.is_none() && !target.wrong.project && !hidden;
        Ok(target)
    }
}
