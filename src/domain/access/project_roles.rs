//! The roles of a viewer in a project, and the permissions that they sum up to.

use super::permission::{Permission, PermissionSet, Requirement};
use super::role::{IssuesVisibility, Role};
use crate::values::id_set::IdSet;
use std::sync::Arc;

/// The roles of a viewer in a project.
pub(crate) struct ProjectRoles<'c> {
    pub(crate) roles: Vec<&'c Role>,
    /// Whether they come from a membership, not from a builtin role or group.
    pub(crate) member: bool,
}

impl ProjectRoles<'_> {
    /// Returns their permissions. Anonymous users do not get permissions that require a login,
    /// whatever their roles.
    pub(crate) fn permissions(&self, logged_in: bool) -> PermissionSet {
        let sum = self.roles.iter().fold(PermissionSet::NONE, |sum, role| {
            sum.union(role.effective_permissions())
        });
        let is_for_anonymous = |permission: Permission| {
            matches!(
                permission.requirement(),
                Requirement::Public | Requirement::None
            )
        };
        if logged_in {
            sum
        } else {
            sum.intersection(PermissionSet::matching(is_for_anonymous))
        }
    }

    /// Returns the visibility of issues of all trackers, and wider ones for some trackers.
    pub(crate) fn issues(
        &self,
        logged_in: bool,
    ) -> (
        Option<IssuesVisibility>,
        Vec<(IssuesVisibility, Arc<IdSet>)>,
    ) {
        let widest = if logged_in {
            IssuesVisibility::All
        } else {
            IssuesVisibility::Default
        };
        let showing = || {
            self.roles.iter().filter(|role| {
                role.effective_permissions()
                    .contains(Permission::ViewIssues)
            })
        };
        let shown = |role: &Role| role.issues_visibility().min(widest);
        let of_all = showing()
            .filter(|role| !role.tracker_limits.contains_key(&Permission::ViewIssues))
            .map(|role| shown(role))
            .max();
        let tracker_limits = showing().filter_map(|role| {
            Some((
                shown(role),
                Arc::clone(role.tracker_limits.get(&Permission::ViewIssues)?),
            ))
        });
        (
            of_all,
            tracker_limits
                .filter(|(visibility, _)| Some(*visibility) > of_all)
                .collect(),
        )
    }

    /// Returns the permissions that no role gives for all trackers, with the trackers for which
    /// some role does.
    pub(crate) fn tracker_limits(&self) -> Vec<(Permission, IdSet)> {
        let mut permissions: Vec<Permission> = self
            .roles
            .iter()
            .flat_map(|role| role.tracker_limits.keys().copied())
            .collect();
        permissions.sort_unstable();
        permissions.dedup();
        let limit = |permission: Permission| {
            let giving = self
                .roles
                .iter()
                .filter(|role| role.effective_permissions().contains(permission));
            let trackers: Option<Vec<_>> = giving
                .map(|role| role.tracker_limits.get(&permission))
                .collect();
            let trackers = trackers?
                .into_iter()
                .flat_map(|trackers| trackers.as_slice().iter().copied());
            Some((permission, trackers.collect()))
        };
        permissions.into_iter().filter_map(limit).collect()
    }
}
