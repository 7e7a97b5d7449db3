//! The role with which forms for new members start.

use crate::prelude::*;
use quarry_domain::access::role::Role;
use quarry_domain::ids::RoleId;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::accounts::memberships;
use std::collections::HashMap;

/// Returns the one of these roles that most members of the project have, because a new member mostly
/// does what the others do; without members, the one with the fewest permissions that adds and edits
/// issues. Never a role that manages members: nobody gets that without being chosen for it, and the
/// only member of a new project has it.
pub fn default_role(
    db: &Read<'_>,
    offered: &[RoleId],
    project: Option<ProjectId>,
) -> Result<Option<RoleId>, ActionError> {
    let mut roles: Vec<&Role> = db
        .catalogue()
        .roles
        .iter()
        .filter(|role| offered.contains(&role.id) && !may(role, Permission::ManageMembers))
        .collect();
    let mut counts: HashMap<RoleId, usize> = HashMap::new();
    if let Some(project) = project {
        for membership in memberships::list_by_project(db, project)? {
            for (role, _) in membership.roles {
                *counts.entry(role).or_default() += 1;
            }
        }
    }
    let count = |role: &Role| counts.get(&role.id).copied().unwrap_or_default();
    roles.stable_sort_by_key(|role| role.permission_list.len());
    let most = roles
        .iter()
        .map(|role| count(role))
        .max()
        .unwrap_or_default();
    let works = |role: &Role| may(role, Permission::AddIssues) && may(role, Permission::EditIssues);
    let found = match most {
        0 => roles.into_iter().find(|role| works(role)),
        most => roles.into_iter().find(|role| count(role) == most),
    };
    Ok(found.map(|role| role.id))
}

fn may(role: &Role, permission: Permission) -> bool {
    role.effective_permissions().contains(permission)
}
