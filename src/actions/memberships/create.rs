//! Creates memberships (compatibility 11.7).

use super::candidates::PossibleMembers;
use super::{check_roles, event};
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::ids::{MembershipId, PrincipalId, ProjectId, RoleId};
use crate::domain::membership::managed_roles;
use crate::domain::permission::Permission;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
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

/// Makes users and groups members of the project, all or none. Returns the id of the membership of
/// the first one.
///
/// # Errors
/// `Forbidden` if the viewer may not manage the members of the project; `Invalid` for a principal
/// that does not exist, is hidden from the viewer or is a member already, and for roles that do not
/// exist or that the viewer may not give.
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
    let roles: Vec<RoleId> = new
        .roles
        .iter()
        .copied()
        .filter(|role| managed.contains(role))
        .collect();
    let existing = memberships::list_by_project(db, project)?;
    let mut principals: Vec<PrincipalId> = Vec::new();
    for principal in &new.principals {
        if !principals.contains(principal) {
            principals.push(*principal);
        }
    }
    let mut errors = ValidationErrors::new();
    let possible = PossibleMembers::new(&catalogue, viewer);
    if principals.is_empty()
        || !principals
            .iter()
            .all(|principal| possible.contains(*principal))
    {
        errors.add("Principal", "cannot be blank");
    } else if existing
        .iter()
        .any(|membership| principals.contains(&membership.principal))
    {
        errors.add("User", "has already been taken");
    }
    check_roles(&catalogue, &mut errors, &new.roles);
    if roles.is_empty() {
        errors.add("Role", "cannot be empty");
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    let ids = memberships::insert_all(db, project, &principals, &roles, clock.now())?;
    for (id, principal) in ids.iter().zip(&principals) {
        db.audit(event(
            &catalogue,
            (*id, project, *principal),
            "created",
            &roles,
        ));
    }
    ids.first().copied().ok_or(ActionError::NotFound)
}
