//! Memberships of projects, and who may give their roles (compatibility 11.7).

use super::inheritance::GrantedRole;
use super::permission::Permission;
use super::role::Role;
use super::viewer::Viewer;
use crate::catalogue::Catalogue;
use crate::ids::{MembershipId, PrincipalId, ProjectId, RoleId};
use crate::values::stable_sort::StableSort;

/// A membership of a user or group, with its own roles and those inherited from a group or from the
/// parent project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    pub id: MembershipId,
    pub project: ProjectId,
    /// The member: a user or a group.
    pub principal: PrincipalId,
    /// The roles in the order in which they were given; `true` for inherited ones.
    pub roles: Vec<(RoleId, bool)>,
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
    roles.stable_sort_by_key(|granted| (granted.role, granted.inherited, granted.position));
    roles.dedup_by_key(|granted| granted.role);
    roles.stable_sort_by_key(|granted| {
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

/// Returns the roles that the viewer may give to members of the project and take from them:
/// administrators all ordinary roles, others those that their roles with `manage_members` allow.
pub fn managed_roles(catalogue: &Catalogue, viewer: &Viewer, project: ProjectId) -> Vec<RoleId> {
    if viewer.admin {
        return ordinary_roles(catalogue).collect();
    }
    let roles = viewer
        .rights(project)
        .map(|rights| rights.roles.as_slice())
        .unwrap_or_default();
    let managing: Vec<&Role> = roles
        .iter()
        .filter_map(|id| catalogue.role(*id))
        .filter(|role| {
            role.effective_permissions()
                .contains(Permission::ManageMembers)
        })
        .collect();
    ordinary_roles(catalogue)
        .filter(|id| {
            managing.iter().any(|role| {
                role.managed
                    .as_ref()
                    .is_none_or(|managed| managed.contains(id))
            })
        })
        .collect()
}

/// Returns the roles that can be given to members.
fn ordinary_roles(catalogue: &Catalogue) -> impl Iterator<Item = RoleId> {
    catalogue
        .roles
        .iter()
        .filter(|role| role.builtin.is_none())
        .map(|role| role.id)
}
