//! Copies members with their roles from one project to another.

use super::candidates::PossibleMembers;
use super::event;
use crate::prelude::*;
use quarry_domain::access::membership::managed_roles;
use quarry_domain::ids::RoleId;
use quarry_store::accounts::memberships;
use std::sync::Arc;

/// Makes the members of a project members of another one, with those of their roles there that the
/// viewer may give. Inherited roles are not copied, and those who are members already stay as they
/// are. Returns how many were added.
///
/// # Errors
/// `Forbidden` if the viewer may not manage the members of both projects.
pub fn copy(
    db: &mut Write<'_>,
    viewer: &Viewer,
    from: ProjectId,
    to: ProjectId,
) -> Result<usize, ActionError> {
    let may_manage = |project| viewer.may(Permission::ManageMembers, project);
    if !may_manage(from) || !may_manage(to) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let roles = managed_roles(&catalogue, viewer, to);
    insert(db, &catalogue, viewer, (from, to), &roles)
}

/// As [`copy`], to a project that the transaction has created, for administrators.
///
/// # Errors
/// `Forbidden` for everybody else.
pub fn copy_to_new_project(
    db: &mut Write<'_>,
    viewer: &Viewer,
    from: ProjectId,
    to: ProjectId,
) -> Result<usize, ActionError> {
    if !viewer.admin {
        return Err(ActionError::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let roles: Vec<RoleId> = catalogue
        .roles
        .iter()
        .filter(|role| role.builtin.is_none())
        .map(|role| role.id)
        .collect();
    insert(db, &catalogue, viewer, (from, to), &roles)
}

fn insert(
    db: &mut Write<'_>,
    catalogue: &Catalogue,
    viewer: &Viewer,
    (from, to): (ProjectId, ProjectId),
    given: &[RoleId],
) -> Result<usize, ActionError> {
    let existing = memberships::list_by_project(db, to)?;
    let possible = PossibleMembers::new(catalogue, viewer);
    let created_on = db.now();
    let mut added = 0;
    for member in memberships::list_by_project(db, from)? {
        let principal = member.principal;
        let is_member = existing.iter().any(|other| other.principal == principal);
        let roles: Vec<RoleId> = member
            .own_roles()
            .filter(|role| given.contains(role))
            .collect();
        if is_member || roles.is_empty() || !possible.contains(principal) {
            continue;
        }
        let id = memberships::insert(db, to, principal, &roles, created_on)?;
        db.audit(event(catalogue, (id, to, principal), "created", &roles));
        added += 1;
    }
    Ok(added)
}
