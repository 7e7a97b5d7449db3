//! The roles of a viewer in a project, and the permissions that they sum up to.
//!
//! Invariant: the rights of a viewer and their explanation are both computed from these parts.

use super::inheritance::{role_ids_by_project, with_groups};
use super::permission::{Permission, PermissionSet, Requirement};
use super::role::{Builtin, IssuesVisibility, Role};
use crate::accounts::user::BuiltinPrincipal;
use crate::catalogue::Catalogue;
use crate::ids::{PrincipalId, ProjectId, RoleId, UserId};
use crate::projects::project::{Project, ProjectStatus};
use crate::values::id_set::IdSet;
use std::collections::HashMap;
use std::sync::Arc;

/// Where the roles of a user can come from.
pub(crate) struct RoleSources<'c> {
    catalogue: &'c Catalogue,
    /// The user and the user's groups.
    pub(crate) principals: Vec<PrincipalId>,
    /// The builtin group of the user, whose memberships apply to users who are not members.
    pub(crate) builtin_group: Option<PrincipalId>,
    /// The role in public projects without any other.
    pub(crate) builtin_role: Option<&'c Role>,
    memberships: HashMap<ProjectId, Vec<RoleId>>,
    builtin_memberships: HashMap<ProjectId, Vec<RoleId>>,
}

impl<'c> RoleSources<'c> {
    /// Returns the sources for a user, `None` for anonymous.
    pub(crate) fn new(catalogue: &'c Catalogue, user: Option<UserId>) -> RoleSources<'c> {
        let principals = user
            .map(|user| with_groups(catalogue, user.into()))
            .unwrap_or_default();
        let (builtin, group) = match user {
            Some(_) => (Builtin::NonMember, BuiltinPrincipal::NonMemberGroup),
            None => (Builtin::Anonymous, BuiltinPrincipal::AnonymousGroup),
        };
        let builtin_group = catalogue.builtin_principal(group);
        RoleSources {
            catalogue,
            builtin_role: catalogue.builtin_role(builtin),
            memberships: role_ids_by_project(catalogue, &principals),
            builtin_memberships: builtin_group
                .map(|group| role_ids_by_project(catalogue, &[group]))
                .unwrap_or_default(),
            principals,
            builtin_group,
        }
    }

    /// Returns the roles in a project: those of memberships, or else those for everybody in public
    /// projects.
    pub(crate) fn roles_in(&self, project: &Project) -> ProjectRoles<'c> {
        let of = |memberships: &HashMap<ProjectId, Vec<RoleId>>, origin| {
            let ids = memberships.get(&project.id).into_iter().flatten();
            ProjectRoles {
                roles: ids.filter_map(|id| self.catalogue.role(*id)).collect(),
                origin,
            }
        };
        let mut roles = of(&self.memberships, RoleOrigin::Membership);
        if roles.roles.is_empty() && project.is_public {
            roles = of(&self.builtin_memberships, RoleOrigin::BuiltinGroup);
        }
        if roles.roles.is_empty() {
            let builtin = self.builtin_role.filter(|_| project.is_public);
            roles = ProjectRoles {
                roles: builtin.into_iter().collect(),
                origin: RoleOrigin::BuiltinRole,
            };
        }
        roles
    }
}

/// Where the roles in a project come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoleOrigin {
    /// Memberships: direct ones, those of groups, and inherited ones.
    Membership,
    /// Memberships of the builtin group.
    BuiltinGroup,
    /// The builtin role.
    BuiltinRole,
}

/// The roles of a viewer in a project.
pub(crate) struct ProjectRoles<'c> {
    pub(crate) roles: Vec<&'c Role>,
    pub(crate) origin: RoleOrigin,
}

/// Why somebody has no rights at all in a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exclusion {
    /// The project is archived.
    Archived,
    /// The project is private, and the user not a member.
    Private,
}

/// Returns why a user with these roles has no rights in the project; `None` if they have some.
pub(crate) fn exclusion(
    project: &Project,
    project_roles: &ProjectRoles<'_>,
    admin: bool,
) -> Option<Exclusion> {
    if project.status == ProjectStatus::Archived {
        Some(Exclusion::Archived)
    } else if project_roles.roles.is_empty() && !project.is_public && !admin {
        Some(Exclusion::Private)
    } else {
        None
    }
}

/// The permissions that each step of the rules lets through.
pub(crate) struct PermissionSteps {
    /// Those of the roles, or all those of an administrator.
    pub(crate) granted: PermissionSet,
    /// Those of no module or of enabled ones.
    pub(crate) in_modules: PermissionSet,
    /// Those that the status of the project allows.
    pub(crate) in_status: PermissionSet,
}

impl PermissionSteps {
    /// Computes the steps in a project that does not exclude the user.
    pub(crate) fn new(
        project: &Project,
        project_roles: &ProjectRoles<'_>,
        (logged_in, admin): (bool, bool),
    ) -> PermissionSteps {
        PermissionSteps {
            granted: if admin {
                PermissionSet::all()
            } else {
                project_roles.permissions(logged_in)
            },
            in_modules: PermissionSet::in_modules(project.modules),
            in_status: match project.status {
                ProjectStatus::Closed => PermissionSet::read_only(),
                _ => PermissionSet::all(),
            },
        }
    }

    /// Returns the permissions that pass every step.
    pub(crate) fn effective(&self) -> PermissionSet {
        self.granted
            .intersection(self.in_modules)
            .intersection(self.in_status)
    }
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
