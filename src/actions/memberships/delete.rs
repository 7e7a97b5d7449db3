//! Deletes memberships (compatibility 11.7).

use super::event;
use super::find::find_managed;
use crate::actions::ActionError;
use crate::domain::ids::{MembershipId, RoleId};
use crate::domain::membership::{Membership, managed_roles};
use crate::domain::viewer::Viewer;
use crate::store::{Write, memberships};
use std::sync::Arc;

/// Deletes a membership, and those that inherit from it.
///
/// # Errors
/// `NotFound`; `Forbidden` if the viewer may not manage the members of the project; `Invalid` with
/// the [`deletion_refusal`].
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: MembershipId) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let membership = find_managed(db, viewer, id)?;
    match deletion_refusal(
        &membership,
        &managed_roles(&catalogue, viewer, membership.project),
    ) {
        Some(message) => Err(ActionError::Invalid(vec![message.to_owned()])),
        None => {
            let roles: Vec<RoleId> = membership.own_roles().collect();
            db.audit(event(
                &catalogue,
                (id, membership.project, membership.principal),
                "deleted",
                &roles,
            ));
            Ok(memberships::set_roles(db, id, &[])?)
        }
    }
}

/// Returns why a viewer who may manage these roles cannot delete the membership: it is inherited,
/// or has another role.
pub fn deletion_refusal(membership: &Membership, managed: &[RoleId]) -> Option<&'static str> {
    if membership.is_inherited() {
        Some("The membership is inherited from a group or from the parent project; remove it there")
    } else if membership.own_roles().any(|role| !managed.contains(&role)) {
        Some("The membership has a role that you may not manage")
    } else {
        None
    }
}
