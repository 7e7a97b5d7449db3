//! Creates issues, also from the rules of commit messages (compatibility 6.4).

use super::draft::{Draft, InvalidFields};
use super::history::details;
use super::parents::{self, Derived};
use super::rights::{Rights, roles};
use super::update::{record, set_closed_on, update_dependents};
use super::{move_project, validate, watching};
use crate::content::attachments::{NewUpload, attach};
use crate::notices;
use crate::prelude::*;
use jiff::Timestamp;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::time_zone;
use quarry_domain::administration::workflow::Involvement;
use quarry_domain::ids::{StatusId, TrackerId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::issue::{Issue, IssueChange, MAX_SUBJECT_LENGTH};
use quarry_domain::projects::project::Project;
use quarry_domain::projects::update_rules::UpdateRule;
use quarry_store::administration::custom_fields;
use quarry_store::issues;
use std::sync::Arc;

/// Creates an issue with its watchers and files, and returns it as stored. Attributes that the
/// viewer may not set are left at their defaults.
///
/// # Errors
/// `Forbidden` if the viewer may add issues nowhere; `NotFound` if a watcher does not exist;
/// `Invalid` with the messages of compatibility 6.4.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &IssueChange,
    uploads: &[NewUpload],
) -> Result<Issue, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let Some(author) = viewer
        .author_id(&catalogue)
        .filter(|_| viewer.may_somewhere(Permission::AddIssues))
    else {
        return Err(ActionError::Forbidden);
    };
    let Some((project, tracker)) = target(&catalogue, viewer, change) else {
        let mut errors = ValidationErrors::new();
        errors.require_text(
            "subject",
            "Subject",
            change.subject.value().map_or("", String::as_str),
            MAX_SUBJECT_LENGTH,
        );
        for (attribute, label) in [
            ("project_id", "Project"),
            ("tracker_id", "Tracker"),
            ("status_id", "Status"),
        ] {
            errors.add(attribute, label, "cannot be blank");
        }
        return Err(errors
            .into_result()
            .map_or_else(ActionError::Invalid, |()| ActionError::Forbidden));
    };
    let (draft, rights) = prepare(db, &catalogue, viewer, (project, tracker), change, author)?;
    let watchers = watching::requested_watchers(&catalogue, viewer, project.id, &change.watchers)?;
    validate::validate(db, viewer, None, &draft, &rights)?;
    let id = issues::insert(db, &draft.issue)?;
    custom_fields::update(db, Customized::Issue, id.0, &draft.values)?;
    watching::watch(db, id, &watchers)?;
    attach(db, viewer, Kind::Issue, id.0, uploads)?;
    parents::record_move(db, viewer, author, id, (None, draft.issue.parent))?;
    parents::derive_upward(db, draft.issue.parent, parents::Extent::All)?;
    let issue = Issue { id, ..draft.issue };
    notices::issue_added(db, &issue)?;
    Ok(issue)
}

/// Returns the new issue before it is validated, and what the viewer may set on it.
pub(super) fn prepare<'c>(
    db: &Read<'_>,
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    (project, tracker): (&Project, TrackerId),
    change: &IssueChange,
    author: UserId,
) -> Result<(Draft, Rights<'c>), StoreError> {
    let issue = new_issue(
        catalogue,
        viewer,
        (project, tracker),
        change,
        author,
        db.now(),
    );
    let rights = Rights::new(catalogue, viewer, &issue);
    let mut draft = Draft {
        issue,
        values: Values::default(),
        invalid: InvalidFields::default(),
    };
    draft.values = Values::defaults(draft.fields(catalogue, viewer).into_iter());
    draft.apply(db, viewer, change, &rights, Derived::default())?;
    apply_defaults(catalogue, project, change, &mut draft.issue);
    draft.clear_disabled_fields(catalogue);
    Ok((draft, rights))
}

/// Returns the project of the issue, and its tracker: the requested one if it is allowed there,
/// otherwise the first allowed one.
pub(super) fn target<'a>(
    catalogue: &'a Catalogue,
    viewer: &Viewer,
    change: &IssueChange,
) -> Option<(&'a Project, TrackerId)> {
    let project = catalogue.project_by(change.project.value()?)?;
    let requested = change
        .tracker
        .value()
        .filter(|tracker| project.trackers.contains(tracker));
    let requested =
        requested.filter(|tracker| viewer.may_on(Permission::AddIssues, project.id, **tracker));
    Some((
        project,
        requested
            .copied()
            .or_else(|| move_project::first_tracker(viewer, project))?,
    ))
}

/// Returns a new issue in the requested status, if the workflow allows it.
fn new_issue(
    catalogue: &Catalogue,
    viewer: &Viewer,
    (project, tracker): (&Project, TrackerId),
    change: &IssueChange,
    author: UserId,
    now: Timestamp,
) -> Issue {
    let default_status = catalogue
        .tracker(tracker)
        .map(|tracker| tracker.default_status);
    let roles = roles(catalogue, viewer, project.id);
    let involvement = Involvement {
        author: true,
        assignee: false,
    };
    let status = change
        .status
        .value()
        .filter(|status| {
            catalogue
                .workflow
                .next_statuses(tracker, &roles, None, involvement)
                .contains(status)
        })
        .copied()
        .or(default_status)
        .unwrap_or(StatusId(0));
    let default_priority = catalogue
        .default_enumeration(EnumerationKind::IssuePriority)
        .map(|value| value.id);
    Issue {
        project: project.id,
        tracker,
        status,
        priority: default_priority.unwrap_or(0.into()),
        author,
        start_date: catalogue
            .is_on(Setting::DefaultIssueStartDateToCreationDate)
            .then(|| time_zone::date_for_user(catalogue, viewer.user, now)),
        created_on: now,
        updated_on: now,
        closed_on: catalogue
            .status(status)
            .filter(|status| status.is_closed)
            .map(|_| now),
        ..Issue::default()
    }
}

/// Sets assignee and version to the defaults of category and project: an assignee unless there is
/// one, a version unless the request has the attribute. Whether the assignee is possible is
/// validated with the issue (compatibility 6.4).
fn apply_defaults(
    catalogue: &Catalogue,
    project: &Project,
    change: &IssueChange,
    issue: &mut Issue,
) {
    if issue.assignee.is_none() {
        let category = issue
            .category
            .and_then(|id| catalogue.categories.get(&id))
            .filter(|category| category.project == project.id);
        issue.assignee = category
            .and_then(|category| category.assignee)
            .or(project.default_assignee);
    }
    if change.version == Patch::Unset && issue.version.is_none() {
        let version = project
            .default_version
            .and_then(|id| catalogue.versions.get(&id));
        issue.version = version
            .filter(|version| version.is_open() && catalogue.is_shared_with(version, project.id))
            .map(|version| version.id);
    }
}

/// Gives an open issue the status and the done ratio of the rule, and adds a note by the user, who
/// may lack every permission: the settings allow it. A status that does not exist, and a done ratio
/// that is derived, are left alone. Does nothing for a closed issue.
pub fn apply_rule(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    issue: IssueId,
    rule: &UpdateRule,
    note: &str,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let Some(before) = issues::find_any(db, issue)? else {
        return Ok(());
    };
    if catalogue
        .status(before.status)
        .is_some_and(|status| status.is_closed)
    {
        return Ok(());
    }
    let mut after = Issue {
        updated_on: db.now(),
        ..before.clone()
    };
    let status = rule.status.and_then(|status| catalogue.status(status));
    after.status = status.map_or(before.status, |status| status.id);
    if catalogue.setting(Setting::IssueDoneRatio) == "issue_status" {
        after.done_ratio = status
            .and_then(|status| status.default_done_ratio)
            .unwrap_or(before.done_ratio);
    } else if !Derived::for_issue(db, issue)?.done_ratio {
        after.done_ratio = rule.done_ratio.unwrap_or(before.done_ratio);
    }
    set_closed_on(db, &before, &mut after);
    issues::update(db, &after)?;
    let unchanged = Values::default();
    let details = details(&catalogue, (&before, &unchanged), (&after, &unchanged));
    watching::add_contributor(db, viewer, &after)?;
    record(db, &after, user, Some(note), false, details)?;
    update_dependents(db, viewer, user, &before, &after)
}
