//! Changes of the own password.

use super::account;
use super::account_warnings::{self, AccountEvent};
use crate::prelude::*;
use quarry_domain::accounts::guess_permit::GuessPermit;
use quarry_domain::accounts::password;
use quarry_store::accounts::users;

/// The current password, with which the new one is compared.
pub enum CurrentPassword {
    /// The password as text, which was verified before.
    Verified(String),
    /// The stored hash.
    Stored(GuessPermit),
}

/// Sets the password of the user who makes the request, and ends all their sessions.
///
/// # Errors
/// `Invalid` if the new password is too short or equals the old one.
pub fn update(
    db: &mut Write<'_>,
    user: UserId,
    current: CurrentPassword,
    new: &str,
) -> Result<(), ActionError> {
    let is_unchanged = match current {
        CurrentPassword::Verified(current) => current == new,
        CurrentPassword::Stored(permit) => {
            password::verify(permit, new, &users::password_hash(db, user)?)
        }
    };
    if is_unchanged {
        return Err(ActionError::invalid_attribute(
            "password",
            "Password",
            "must differ from the current one",
        ));
    }
    account::set_password(db, user, new)?;
    account_warnings::insert(db, user, AccountEvent::Password)?;
    Ok(users::set_must_change_password(db, user, false)?)
}
