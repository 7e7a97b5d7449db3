//! The principals to whom issues can be assigned (compatibility 6.4).

use crate::prelude::*;
use quarry_domain::access::inheritance::{members_of, role_ids_by_project, users_of_project};
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::{PrincipalId, RoleId};
use quarry_domain::values::stable_sort::StableSort;
use std::collections::HashMap;

/// Whether issues of the project can be assigned to the principal: an active member with an
/// assignable role, and a group only if the setting allows groups.
pub fn in_project(catalogue: &Catalogue, project: ProjectId, principal: PrincipalId) -> bool {
    let id = UserId(principal.0);
    match catalogue.users.get(&id) {
        Some(user) if user.status != UserStatus::Active => false,
        Some(_) => {
            let viewer = Viewer::new(catalogue, Some(id));
            viewer.rights(project).is_some_and(|rights| {
                rights.member && has_assignable_role(catalogue, &rights.roles)
            })
        }
        None => {
            catalogue.is_on(Setting::IssueGroupAssignment)
                && has_assignable_role(
                    catalogue,
                    &role_ids_by_project(catalogue, &[principal])
                        .remove(&project)
                        .unwrap_or_default(),
                )
        }
    }
}

/// The users and groups to whom issues of the project can be assigned, as [`in_project`] decides:
/// users first, each by name.
pub fn list(catalogue: &Catalogue, project: ProjectId) -> Vec<PrincipalId> {
    let members = members_of(catalogue, project);
    let mut roles: HashMap<PrincipalId, Vec<RoleId>> = HashMap::new();
    for (principal, own) in &members {
        match catalogue.groups.get(principal) {
            Some(group) => {
                group
                    .users
                    .iter()
                    .for_each(|user| roles.entry((*user).into()).or_default().extend(own));
                if catalogue.is_on(Setting::IssueGroupAssignment) {
                    roles.entry(*principal).or_default().extend(own);
                }
            }
            None => roles.entry(*principal).or_default().extend(own),
        }
    }
    roles.retain(|principal, roles| {
        is_active(catalogue, *principal) && has_assignable_role(catalogue, roles)
    });
    sorted(catalogue, roles.into_keys().collect())
}

/// The active users who are members of the project, by name.
pub fn list_members(catalogue: &Catalogue, project: ProjectId) -> Vec<PrincipalId> {
    let mut users: Vec<PrincipalId> = users_of_project(catalogue, project)
        .into_iter()
        .map(PrincipalId::from)
        .collect();
    users.retain(|principal| is_active(catalogue, *principal));
    sorted(catalogue, users)
}

/// Whether the principal is an active user, or a group.
fn is_active(catalogue: &Catalogue, principal: PrincipalId) -> bool {
    match catalogue.users.get(&UserId(principal.0)) {
        Some(user) => user.status == UserStatus::Active,
        None => catalogue.groups.contains_key(&principal),
    }
}

fn sorted(catalogue: &Catalogue, mut principals: Vec<PrincipalId>) -> Vec<PrincipalId> {
    principals.stable_sort_by_key(|id| {
        (
            catalogue.groups.contains_key(id),
            catalogue
                .principal_name(*id)
                .unwrap_or_default()
                .to_lowercase(),
        )
    });
    principals
}

/// Whether the user is an active member of the project.
pub fn is_member(catalogue: &Catalogue, project: ProjectId, user: UserId) -> bool {
    let active = catalogue
        .users
        .get(&user)
        .is_some_and(|user| user.status == UserStatus::Active);
    active
        && Viewer::new(catalogue, Some(user))
            .rights(project)
            .is_some_and(|rights| rights.member)
}

fn has_assignable_role(catalogue: &Catalogue, roles: &[RoleId]) -> bool {
    roles
        .iter()
        .any(|id| catalogue.role(*id).is_some_and(|role| role.assignable))
}
