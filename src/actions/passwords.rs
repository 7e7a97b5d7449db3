//! Changes of the own password.

use super::{ActionError, accounts};
use crate::domain::clock::{Clock, Entropy};
use crate::domain::ids::UserId;
use crate::domain::password;
use crate::store::{Write, users};

/// Sets the password of the user who makes the request, and ends all their sessions.
///
/// # Errors
/// `Invalid` if the new password is too short or equals the old one.
pub fn update(db: &mut Write<'_>, user: UserId, new: &str, clock: &dyn Clock, entropy: &dyn Entropy) -> Result<(), ActionError> {
    if password::verify(new, &users::password_hash(db, user)?) {
        return Err(ActionError::Invalid(vec!["Password must differ from the current one".to_owned()]));
    }
    accounts::set_password(db, user, new, clock, entropy)?;
    Ok(users::set_must_change_password(db, user, false)?)
}
