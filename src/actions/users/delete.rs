//! Deletes users (compatibility 11.1).

use super::actor::require_another_admin;
use super::{Actor, RightsChange, anonymous};
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::ids::UserId;
use crate::store::{Write, users};
use std::sync::Arc;

/// Deletes a user. Records stay and belong to the anonymous user; memberships, watched records,
/// keys, sessions, preferences and private queries go. Nobody is assigned to the issues of the user
/// any more.
///
/// # Errors
/// `Forbidden` unless the actor is an administrator or the operator; `NotFound`; `Invalid` for the
/// last administrator and for the own account.
pub fn delete(
    db: &mut Write<'_>,
    actor: Actor<'_>,
    id: UserId,
    clock: &dyn Clock,
) -> Result<RightsChange, ActionError> {
    actor.require_admin()?;
    let catalogue = Arc::clone(db.catalogue());
    let user = catalogue.users.get(&id).ok_or(ActionError::NotFound)?;
    require_another_admin(&catalogue, user)?;
    if actor.is(id) {
        return Err(ActionError::Invalid(vec![
            "You cannot delete your own account".to_owned(),
        ]));
    }
    let new_author = anonymous(db, clock)?;
    users::delete(db, id, new_author)?;
    Ok(RightsChange::Deleted)
}
