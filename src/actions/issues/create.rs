//! Writing an issue (contract 4.4).

use super::draft::{Draft, Wrong};
use super::parents::{self, Derived};
use super::rights::Rights;
use super::{judge, place, watching};
use crate::actions::Refused;
use crate::actions::attachments::{NewUpload, attach};
use crate::domain::catalogue::{Catalogue, EnumerationKind};
use crate::domain::clock::Clock;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::given::Given;
use crate::domain::ids::{IssueId, ProjectId, RoleId, StatusId, TrackerId, UserId};
use crate::domain::issue::{Issue, IssueChange, LONGEST_SUBJECT};
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::project::Project;
use crate::domain::setting::Setting;
use crate::domain::validation::Complaints;
use crate::domain::viewer::Viewer;
use crate::domain::workflow::Standing;
use crate::store::{Write, custom_fields, issues};
use std::sync::Arc;

/// Adds the issue that is asked for, with its watchers and files; as it is kept. Attributes that the viewer may not set are left
/// at their defaults.
///
/// # Errors
/// `Forbidden` when the viewer may add issues nowhere; `NotFound` when a watcher is nobody; `Invalid` with the sentences of
/// contract 4.4 otherwise.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    asked: &IssueChange,
    uploads: &[NewUpload],
    clock: &dyn Clock,
) -> Result<Issue, Refused> {
    let catalogue = Arc::clone(db.catalogue());
    let Some(author) = viewer.writer(&catalogue).filter(|_| viewer.may_somewhere(Permission::AddIssues)) else {
        return Err(Refused::Forbidden);
    };
    let Some((project, tracker)) = target(&catalogue, viewer, asked) else {
        let mut complaints = Complaints::new();
        complaints.require_text("Subject", asked.subject.value().map_or("", String::as_str), LONGEST_SUBJECT);
        ["Project", "Tracker", "Status"].iter().for_each(|label| complaints.add(label, "cannot be blank"));
        return Err(complaints.into_result().map_or_else(Refused::Invalid, |()| Refused::Forbidden));
    };
    let issue = beginning(&catalogue, viewer, (project, tracker), asked, author, clock);
    let rights = Rights::of(&catalogue, viewer, &issue);
    let mut draft = Draft { issue, values: Values::default(), wrong: Wrong::default() };
    draft.values = Values::defaults(draft.fields(&catalogue, viewer).into_iter());
    draft.take(db, viewer, asked, &rights, Derived::default())?;
    defaults(&catalogue, project, asked, &mut draft.issue);
    let watchers = watching::wanted(&catalogue, viewer, project.id, &asked.watchers)?;
    judge::judge(db, viewer, None, &draft, &rights)?;
    let id = issues::insert(db, &draft.issue)?;
    custom_fields::change(db, Customized::Issue, id.0, &draft.values)?;
    watching::watch(db, id, &watchers)?;
    attach(db, viewer, Kind::Issue, id.0, uploads)?;
    parents::record_move(db, author, id, None, draft.issue.parent, clock)?;
    parents::derive_upward(db, draft.issue.parent, parents::Reach::Top, clock)?;
    Ok(Issue { id, ..draft.issue })
}

/// Where the issue goes, and its tracker: the one that was asked for if it can be, otherwise the first one that can.
fn target<'a>(catalogue: &'a Catalogue, viewer: &Viewer, asked: &IssueChange) -> Option<(&'a Project, TrackerId)> {
    let project = catalogue.project_by(asked.project.value()?)?;
    let wanted = asked.tracker.value().filter(|tracker| project.trackers.contains(tracker));
    let wanted = wanted.filter(|tracker| viewer.may_on(Permission::AddIssues, project.id, **tracker));
    Some((project, wanted.copied().or_else(|| place::first_tracker(viewer, project))?))
}

/// A new issue in the status that was asked for, if it can be.
fn beginning(
    catalogue: &Catalogue,
    viewer: &Viewer,
    (project, tracker): (&Project, TrackerId),
    asked: &IssueChange,
    author: UserId,
    clock: &dyn Clock,
) -> Issue {
    let start = catalogue.tracker(tracker).map(|tracker| tracker.default_status);
    let roles = roles(catalogue, viewer, project.id);
    let standing = Standing { author: true, assignee: false };
    let reachable = |status: &_| catalogue.workflow.next(tracker, &roles, None, standing).contains(status);
    let status = asked.status.value().filter(|status| reachable(status)).copied().or(start).unwrap_or(StatusId(0));
    let default_priority = catalogue.default_enumeration(EnumerationKind::IssuePriority).map(|value| value.id);
    let now = clock.now();
    Issue {
        id: IssueId(0),
        project: project.id,
        tracker,
        status,
        priority: default_priority.unwrap_or(0.into()),
        author,
        assignee: None,
        category: None,
        version: None,
        parent: None,
        subject: String::new(),
        description: None,
        private: false,
        start_date: catalogue.is_on(Setting::DefaultIssueStartDateToCreationDate).then(|| clock.today()),
        due_date: None,
        done_ratio: 0,
        estimated_hours: None,
        created_on: now,
        updated_on: now,
        closed_on: catalogue.status(status).filter(|status| status.is_closed).map(|_| now),
    }
}

/// Assignee and version where nothing was said: the category's or the project's (contract 4.4).
fn defaults(catalogue: &Catalogue, project: &Project, asked: &IssueChange, issue: &mut Issue) {
    if asked.assignee == Given::Absent && issue.assignee.is_none() {
        let category = issue.category.and_then(|id| catalogue.categories.get(&id)).filter(|category| category.project == project.id);
        let found = category.and_then(|category| category.assignee).or(project.default_assignee);
        issue.assignee = found.filter(|principal| super::assignable::in_project(catalogue, project.id, *principal));
    }
    if asked.version == Given::Absent && issue.version.is_none() {
        let found = project.default_version.and_then(|id| catalogue.versions.get(&id));
        issue.version =
            found.filter(|version| version.is_open() && version.is_shared_with(project.id, catalogue)).map(|version| version.id);
    }
}

/// The viewer's roles in the project; an administrator has all of them (contract 4.6).
pub(super) fn roles(catalogue: &Catalogue, viewer: &Viewer, project: ProjectId) -> Vec<RoleId> {
    match viewer.admin {
        true => catalogue.roles.iter().filter(|role| role.builtin.is_none()).map(|role| role.id).collect(),
        false => viewer.rights(project).map(|rights| rights.roles.clone()).unwrap_or_default(),
    }
}

/// Whether the viewer may say that an issue is private.
pub(super) fn may_set_private(viewer: &Viewer, project: ProjectId, own: bool) -> bool {
    viewer.may(Permission::SetIssuesPrivate, project) || (own && viewer.may(Permission::SetOwnIssuesPrivate, project))
}
