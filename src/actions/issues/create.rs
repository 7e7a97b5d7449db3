//! Writing an issue (contract 4.4).

use super::assignable;
use crate::actions::Refused;
use crate::domain::catalogue::{Catalogue, EnumerationKind};
use crate::domain::clock::Clock;
use crate::domain::ids::{EnumerationId, IssueId, ProjectId, UserId};
use crate::domain::issue::{Given, Issue, IssueChange};
use crate::domain::permission::Permission;
use crate::domain::project::Project;
use crate::domain::setting::Setting;
use crate::domain::text::with_crlf;
use crate::domain::viewer::Viewer;
use crate::store::{Write, issues};
use std::sync::Arc;

/// Adds the issue that is asked for; as it is kept. Attributes that the viewer may not set are left at their defaults.
///
/// # Errors
/// `Forbidden` when the viewer may add issues nowhere; `Invalid` with the sentences of contract 4.4 otherwise.
pub fn create(db: &mut Write<'_>, viewer: &Viewer, asked: &IssueChange, clock: &dyn Clock) -> Result<Issue, Refused> {
    let catalogue = Arc::clone(db.catalogue());
    let Some(author) = viewer.user.filter(|_| viewer.may_somewhere(Permission::AddIssues)) else { return Err(Refused::Forbidden) };
    let Some(project) = target(&catalogue, viewer, asked) else {
        let missing = ["Project cannot be blank", "Tracker cannot be blank", "Status cannot be blank"];
        return Err(Refused::Invalid(missing.map(str::to_owned).to_vec()));
    };
    let draft = draft(&catalogue, viewer, project, asked, author, clock);
    let priority_is_known = catalogue.enumerations_of(EnumerationKind::IssuePriority).any(|value| value.id == draft.priority);
    let mut complaints = draft.complaints();
    if !priority_is_known {
        complaints.add("Priority", "cannot be blank");
    }
    if draft.assignee.is_some_and(|assignee| assignee != author.into() && !assignable::in_project(&catalogue, project.id, assignee)) {
        complaints.add("Assignee", "is invalid");
    }
    complaints.into_result().map_err(Refused::Invalid)?;
    let id = issues::insert(db, &draft)?;
    Ok(Issue { id, ..draft })
}

fn target<'a>(catalogue: &'a Catalogue, viewer: &Viewer, asked: &IssueChange) -> Option<&'a Project> {
    let project = catalogue.project_by(asked.project.value()?)?;
    let ready = viewer.may(Permission::AddIssues, project.id) && !project.trackers.is_empty();
    ready.then_some(project)
}

fn draft(catalogue: &Catalogue, viewer: &Viewer, project: &Project, asked: &IssueChange, author: UserId, clock: &dyn Clock) -> Issue {
    let wanted = asked.tracker.value().filter(|tracker| project.trackers.contains(tracker));
    let tracker = wanted.copied().unwrap_or(project.trackers[0]);
    let start = catalogue.tracker(tracker).map(|tracker| tracker.default_status);
    let roles = roles(catalogue, viewer, project.id);
    let reachable =
        |status: &_| catalogue.workflow.next(tracker, &roles, None, crate::domain::workflow::Standing::default()).contains(status);
    let status = asked.status.value().filter(|status| reachable(status)).copied().or(start);
    let default_priority = catalogue.default_enumeration(EnumerationKind::IssuePriority).map(|value| value.id);
    let now = clock.now();
    Issue {
        id: IssueId(0),
        project: project.id,
        tracker,
        status: status.unwrap_or(crate::domain::ids::StatusId(0)),
        priority: asked.priority.value().copied().or(default_priority).unwrap_or(EnumerationId(0)),
        author,
        assignee: asked.assignee.value().copied(),
        category: None,
        version: None,
        parent: None,
        subject: asked.subject.value().cloned().unwrap_or_default(),
        description: asked.description.value().map(|text| with_crlf(text)),
        private: may_set_private(viewer, project.id, true) && asked.private.value().copied().unwrap_or(false),
        start_date: catalogue.is_on(Setting::DefaultIssueStartDateToCreationDate).then(|| clock.today()),
        due_date: None,
        done_ratio: 0,
        estimated_hours: None,
        created_on: now,
        updated_on: now,
        closed_on: status.and_then(|id| catalogue.status(id)).filter(|status| status.is_closed).map(|_| now),
    }
}

/// The viewer's roles in the project; an administrator has all of them (contract 4.6).
pub(super) fn roles(catalogue: &Catalogue, viewer: &Viewer, project: ProjectId) -> Vec<crate::domain::ids::RoleId> {
    match viewer.admin {
        true => catalogue.roles.iter().filter(|role| role.builtin.is_none()).map(|role| role.id).collect(),
        false => viewer.rights(project).map(|rights| rights.roles.clone()).unwrap_or_default(),
    }
}

/// Whether the viewer may say that an issue is private.
pub(super) fn may_set_private(viewer: &Viewer, project: ProjectId, own: bool) -> bool {
    viewer.may(Permission::SetIssuesPrivate, project) || (own && viewer.may(Permission::SetOwnIssuesPrivate, project))
}

/// The description that was asked for, as it is kept; nothing where it was cleared.
pub(super) fn described(asked: &Given<String>) -> Option<String> {
    asked.value().map(|text| with_crlf(text))
}
