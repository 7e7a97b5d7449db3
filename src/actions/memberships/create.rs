//! Creates memberships (compatibility 11.7).

use super::{check_roles, event};
use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::Clock;
use crate::domain::ids::{MembershipId, PrincipalId, ProjectId, RoleId, UserId};
use crate::domain::membership::managed_roles;
use crate::domain::permission::Permission;
use crate::domain::user::{BuiltinPrincipal, UserStatus};
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Write, memberships};
use std::sync::Arc;

/// The memberships in a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewMemberships {
    /// The users and groups.
    pub principals: Vec<PrincipalId>,
    /// The roles of each. Those that the viewer may not give are ignored.
    pub roles: Vec<RoleId>,
}

/// Makes users and groups members of the project, all or none. Returns the id of the membership of the first one.
///
/// # Errors
/// `Forbidden` if the viewer may not manage the members of the project; `Invalid` for a principal that does not exist, is hidden from the
/// viewer or is a member already, and for roles that do not exist or that the viewer may not give.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    new: &NewMemberships,
    clock: &dyn Clock,
) -> Result<MembershipId, ActionError> {
    if !viewer.may(Permission::ManageMembers, project) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let managed = managed_roles(&catalogue, viewer, project);
    let roles: Vec<RoleId> = new.roles.iter().copied().filter(|role| managed.contains(role)).collect();
    let existing = memberships::list_by_project(db, project)?;
    let mut principals: Vec<PrincipalId> = Vec::new();
    for principal in &new.principals {
        if !principals.contains(principal) {
            principals.push(*principal);
        }
    }
    let mut errors = ValidationErrors::new();
    if principals.is_empty() || !principals.iter().all(|principal| may_become_member(&catalogue, viewer, *principal)) {
        errors.add("Principal", "cannot be blank");
    } else if existing.iter().any(|membership| principals.contains(&membership.principal)) {
        errors.add("User", "has already been taken");
    }
    check_roles(&catalogue, &mut errors, &new.roles);
    if roles.is_empty() {
        errors.add("Role", "cannot be empty");
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    let ids = memberships::insert_all(db, project, &principals, &roles, clock.now())?;
    for (id, principal) in ids.iter().zip(&principals) {
        db.audit(event(&catalogue, (*id, project, *principal), "created", &roles));
    }
    ids.first().copied().ok_or(ActionError::NotFound)
}

/// Whether the viewer can make this user or group a member: it exists, and the viewer can see it. Only administrators can add users who
/// cannot log in.
fn may_become_member(catalogue: &Catalogue, viewer: &Viewer, principal: PrincipalId) -> bool {
    let is_visible = || visibility::can_see_principal(viewer, catalogue, principal);
    match catalogue.users.get(&UserId(principal.0)) {
        Some(user) => viewer.admin || (user.status == UserStatus::Active && is_visible()),
        None if catalogue.groups.contains_key(&principal) => is_visible(),
        None => catalogue.builtin.get(&principal).is_some_and(|builtin| *builtin != BuiltinPrincipal::Anonymous),
    }
}
