//! Finds issues, and tells what the viewer may do with one.

use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::tracker::Tracker;
use quarry_domain::administration::workflow::{Involvement, Rule};
use quarry_domain::ids::{RoleId, StatusId};
use quarry_domain::issues::issue::Issue;
use quarry_store::issues;
use quarry_store::issues::{relations, subtasks};
use std::collections::HashMap;

/// Returns the issue if the viewer may see it. As in Redmine, the error reveals whether it exists
/// (compatibility 3.5).
pub fn find(db: &Read<'_>, viewer: &Viewer, id: IssueId) -> Result<Issue, ActionError> {
    match issues::find(db, visibility::issues(viewer), id)? {
        Some(issue) => Ok(issue),
        None if issues::exists(db, id)? => Err(ActionError::Forbidden),
        None => Err(ActionError::NotFound),
    }
}

/// The rights of a viewer to set attributes of an issue.
pub struct Rights<'c> {
    rules: HashMap<&'c str, Rule>,
    tracker: Option<&'c Tracker>,
    /// Whether the viewer may make it private.
    pub set_private: bool,
    /// Whether the viewer may set its parent.
    pub subtasks: bool,
    /// Whether the done ratio is derived from the status.
    pub done_ratio_by_status: bool,
}

impl<'c> Rights<'c> {
    /// Computes the rights for the project, tracker and status of the issue.
    pub fn new(catalogue: &'c Catalogue, viewer: &Viewer, issue: &Issue) -> Rights<'c> {
        let mut roles = roles(catalogue, viewer, issue.project);
        roles.retain(|id| {
            let permissions = catalogue
                .role(*id)
                .map(|role| role.effective_permissions())
                .unwrap_or_default();
            permissions.contains(Permission::AddIssues)
                || permissions.contains(Permission::EditIssues)
        });
        Rights {
            rules: if roles.is_empty() {
                HashMap::new()
            } else {
                catalogue
                    .field_rules
                    .for_roles(issue.tracker, &roles, issue.status)
            },
            tracker: catalogue.tracker(issue.tracker),
            set_private: may_set_private(viewer, issue.project, viewer.user == Some(issue.author)),
            subtasks: viewer.may(Permission::ManageSubtasks, issue.project),
            done_ratio_by_status: catalogue.setting(Setting::IssueDoneRatio) == "issue_status",
        }
    }

    /// Lets values be restored that the workflow makes read-only in the former status.
    pub fn without_read_only(mut self) -> Rights<'c> {
        self.rules.retain(|_, rule| *rule != Rule::ReadOnly);
        self
    }

    /// Whether the attribute with this name, or the custom field with this id, may be set.
    pub fn may_set(&self, field: &str) -> bool {
        self.rules.get(field) != Some(&Rule::ReadOnly)
            && self.tracker.is_none_or(|tracker| tracker.has(field))
    }

    /// Whether the workflow requires a value of the field.
    pub fn requires(&self, field: &str) -> bool {
        self.rules.get(field) == Some(&Rule::Required)
            && self.tracker.is_none_or(|tracker| tracker.has(field))
    }
}

/// Returns the viewer's roles in the project. Administrators have all roles (compatibility 6.6).
pub(super) fn roles(catalogue: &Catalogue, viewer: &Viewer, project: ProjectId) -> Vec<RoleId> {
    if viewer.admin {
        catalogue
            .roles
            .iter()
            .filter(|role| role.builtin.is_none())
            .map(|role| role.id)
            .collect()
    } else {
        viewer
            .rights(project)
            .map(|rights| rights.roles.clone())
            .unwrap_or_default()
    }
}

/// Whether the viewer may make an issue of the project private.
pub(super) fn may_set_private(viewer: &Viewer, project: ProjectId, is_author: bool) -> bool {
    viewer.may(Permission::SetIssuesPrivate, project)
        || (is_author && viewer.may(Permission::SetOwnIssuesPrivate, project))
}

/// Returns the statuses that the viewer may give the issue, by position. They include the current
/// status, unless the workflow permits no transition at all. An issue with an open blocker or open
/// subtask cannot be closed; an issue below a closed one cannot be reopened.
pub fn allowed_statuses(
    db: &Read<'_>,
    viewer: &Viewer,
    issue: &Issue,
) -> Result<Vec<StatusId>, StoreError> {
    let catalogue = db.catalogue();
    let involvement = Involvement {
        author: viewer.user == Some(issue.author),
        assignee: issue
            .assignee
            .is_some_and(|assignee| viewer.principals.contains(&assignee)),
    };
    let targets = catalogue.workflow.next_statuses(
        issue.tracker,
        &roles(catalogue, viewer, issue.project),
        Some(issue.status),
        involvement,
    );
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let mut statuses: Vec<_> = catalogue
        .statuses
        .iter()
        .filter(|status| status.id == issue.status || targets.contains(&status.id))
        .collect();
    if statuses.iter().any(|status| status.is_closed)
        && (relations::is_blocked(db, issue.id)? || subtasks::has_open_descendant(db, issue.id)?)
    {
        statuses.retain(|status| !status.is_closed);
    }
    if issue.parent.is_some() && subtasks::has_closed_ancestor(db, issue.id)? {
        statuses.retain(|status| status.is_closed);
    }
    Ok(statuses.into_iter().map(|status| status.id).collect())
}
