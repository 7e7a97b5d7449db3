//! Links by mail with which a user chooses a password, or confirms an account or an address. May import: `domain`,
//! `store`.

use crate::prelude::*;
use quarry_domain::clock::Entropy;
use quarry_store::accounts::{address_changes, invitations, lost_passwords, registrations};

/// Invalidates the links for choosing a password and for confirming an account or an address that were sent to a user
/// by mail. They are valid only while password, mail address and status stay as they were.
pub(crate) fn end(db: &mut Write<'_>, user: UserId) -> Result<(), ActionError> {
    lost_passwords::delete_of_user(db, user)?;
    registrations::delete(db, user)?;
    address_changes::end_link(db, user)?;
    Ok(invitations::delete_of_user(db, user)?)
}

/// Returns a random token of 64 hexadecimal digits, for a session or a link.
pub(crate) fn fresh_token(entropy: &dyn Entropy) -> String {
    let mut bytes = [0u8; 32];
    entropy.fill(&mut bytes);
    hex::encode(bytes)
}
