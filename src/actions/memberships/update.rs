//! Updates memberships (compatibility 11.7).

use super::find::find_managed;
use super::{check_roles, event};
use crate::actions::ActionError;
use crate::domain::ids::{MembershipId, RoleId};
use crate::domain::membership::managed_roles;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::store::{Write, memberships};
use std::sync::Arc;

/// Replaces the roles of a membership. Inherited roles stay, and those that the viewer may not
/// manage.
///
/// # Errors
/// `NotFound`; `Forbidden` if the viewer may not manage the members of the project; `Invalid` for
/// roles that do not exist, or when none would be left.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: MembershipId,
    roles: &[RoleId],
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let membership = find_managed(db, viewer, id)?;
    let managed = managed_roles(&catalogue, viewer, membership.project);
    let inherited: Vec<RoleId> = membership
        .roles
        .iter()
        .filter(|(_, inherited)| *inherited)
        .map(|(role, _)| *role)
        .collect();
    let mut own: Vec<RoleId> = membership
        .own_roles()
        .filter(|role| !managed.contains(role))
        .collect();
    own.extend(
        roles
            .iter()
            .filter(|role| managed.contains(role) && !inherited.contains(role)),
    );
    let mut errors = ValidationErrors::new();
    check_roles(&catalogue, &mut errors, roles);
    if own.is_empty() && inherited.is_empty() {
        errors.add("Role", "cannot be empty");
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    let present: Vec<RoleId> = inherited.iter().chain(&own).copied().collect();
    db.audit(event(
        &catalogue,
        (id, membership.project, membership.principal),
        "updated",
        &present,
    ));
    Ok(memberships::set_roles(db, id, &own)?)
}
