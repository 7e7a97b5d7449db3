//! Memberships of projects: where roles come from, and who may give them (compatibility 11.7).

use super::catalogue::Catalogue;
use super::ids::{MembershipId, PrincipalId, ProjectId, RoleId};
use super::member::MemberRole;
use super::permission::Permission;
use super::role::Role;
use super::viewer::Viewer;
use std::collections::HashMap;

/// A membership of a user or group, with its own roles and those inherited from a group or from the
/// parent project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The id.
    pub id: MembershipId,
    /// The project.
    pub project: ProjectId,
    /// The member: a user or a group.
    pub principal: PrincipalId,
    /// The roles in the order in which they were given; `true` for inherited ones.
    pub roles: Vec<(RoleId, bool)>,
}

/// A role of a membership, with where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrantedRole {
    /// The role.
    pub role: RoleId,
    /// Whether it is inherited.
    pub inherited: bool,
    /// The position of the role that was given: to the member, or to the group or in the parent
    /// project from which it is inherited.
    pub position: i64,
}

impl GrantedRole {
    /// Creates the role of a membership from one that was given to this or another member.
    pub fn new(member_role: MemberRole, inherited: bool) -> GrantedRole {
        GrantedRole {
            role: member_role.role,
            inherited,
            position: member_role.position,
        }
    }
}

impl Membership {
    /// Whether a role is inherited.
    pub fn is_inherited(&self) -> bool {
        self.roles.iter().any(|(_, inherited)| *inherited)
    }

    /// Returns the roles that are not inherited.
    pub fn own_roles(&self) -> impl Iterator<Item = RoleId> {
        self.roles
            .iter()
            .filter(|(_, inherited)| !inherited)
            .map(|(role, _)| *role)
    }
}

/// Sorts roles in the order in which they were given and keeps each once, as the membership's own
/// where it is both its own and inherited. Returns them as [`Membership::roles`].
pub fn ordered_roles(catalogue: &Catalogue, mut roles: Vec<GrantedRole>) -> Vec<(RoleId, bool)> {
    roles.sort_by_key(|granted| (granted.role, granted.inherited, granted.position));
    roles.dedup_by_key(|granted| granted.role);
    roles.sort_by_key(|granted| {
        (
            granted.position,
            catalogue.role(granted.role).map_or(0, |role| role.position),
            granted.role,
        )
    });
    roles
        .into_iter()
        .map(|granted| (granted.role, granted.inherited))
        .collect()
}

/// Returns the roles of all members of a project: own ones, those of the parent where it passes on
/// its members, and those of groups.
pub fn roles_by_member(
    catalogue: &Catalogue,
    project: ProjectId,
) -> HashMap<PrincipalId, Vec<GrantedRole>> {
    let mut sources = vec![project];
    for parent in catalogue.ancestors(project) {
        let below = sources.last().and_then(|id| catalogue.projects.get(id));
        if !below.is_some_and(|project| project.inherit_members) {
            break;
        }
        sources.push(parent);
    }
    let mut by_member: HashMap<PrincipalId, Vec<GrantedRole>> = HashMap::new();
    for member in catalogue
        .members
        .iter()
        .filter(|member| sources.contains(&member.project))
    {
        let roles = |inherited: bool| {
            member
                .roles
                .iter()
                .map(move |role| GrantedRole::new(*role, inherited))
        };
        by_member
            .entry(member.principal)
            .or_default()
            .extend(roles(member.project != project));
        for user in catalogue
            .groups
            .get(&member.principal)
            .into_iter()
            .flat_map(|group| &group.users)
        {
            by_member
                .entry((*user).into())
                .or_default()
                .extend(roles(true));
        }
    }
    by_member
}

/// Returns the roles that the viewer may give to members of the project and take from them:
/// administrators all ordinary roles, others those that their roles with `manage_members` allow.
pub fn managed_roles(catalogue: &Catalogue, viewer: &Viewer, project: ProjectId) -> Vec<RoleId> {
    let ordinary = || {
        catalogue
            .roles
            .iter()
            .filter(|role| role.builtin.is_none())
            .map(|role| role.id)
    };
    if viewer.admin {
        return ordinary().collect();
    }
    let roles = viewer
        .rights(project)
        .map(|rights| rights.roles.as_slice())
        .unwrap_or_default();
    let manages = |role: &&Role| {
        role.effective_permissions()
            .contains(Permission::ManageMembers)
    };
    let managing: Vec<&Role> = roles
        .iter()
        .filter_map(|id| catalogue.role(*id))
        .filter(manages)
        .collect();
    let is_managed = |id: &RoleId| {
        managing.iter().any(|role| {
            role.managed
                .as_ref()
                .is_none_or(|managed| managed.contains(id))
        })
    };
    ordinary().filter(is_managed).collect()
}
