//! The attributes of an issue that a viewer may set, by permissions, tracker and field rules
//! (compatibility 6.4).

use crate::domain::catalogue::{Catalogue, Tracker};
use crate::domain::ids::{ProjectId, RoleId};
use crate::domain::issue::Issue;
use crate::domain::permission::Permission;
use crate::domain::setting::Setting;
use crate::domain::viewer::Viewer;
use crate::domain::workflow::Rule;
use std::collections::HashMap;

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
    match viewer.admin {
        true => catalogue
            .roles
            .iter()
            .filter(|role| role.builtin.is_none())
            .map(|role| role.id)
            .collect(),
        false => viewer
            .rights(project)
            .map(|rights| rights.roles.clone())
            .unwrap_or_default(),
    }
}

/// Whether the viewer may make an issue of the project private.
fn may_set_private(viewer: &Viewer, project: ProjectId, is_author: bool) -> bool {
    viewer.may(Permission::SetIssuesPrivate, project)
        || (is_author && viewer.may(Permission::SetOwnIssuesPrivate, project))
}
