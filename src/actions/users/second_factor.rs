//! The second factor of users, as administrators manage it (compatibility 4).

use super::{Actor, RightsChange};
use crate::actions::{ActionError, two_factor};
use crate::domain::ids::UserId;
use crate::store::Write;

/// Switches the second factor of a user off, for somebody who has lost phone and recovery codes.
/// The sessions of the user end.
///
/// # Errors
/// `Forbidden` unless the actor is an administrator or the operator; `NotFound`.
pub fn switch_off_second_factor(
    db: &mut Write<'_>,
    actor: Actor<'_>,
    id: UserId,
) -> Result<RightsChange, ActionError> {
    actor.require_admin()?;
    if !db.catalogue().users.contains_key(&id) {
        return Err(ActionError::NotFound);
    }
    two_factor::switch_off(db, id)?;
    Ok(RightsChange::SecondFactorOff)
}
