//! Further mail addresses of users, for administrators (compatibility 14). May import: `domain`,
//! `store`.

use crate::accounts::{account_links, user_rules};
use crate::administration::require_admin;
use crate::prelude::*;
use quarry_domain::accounts::email_address::EmailAddress;
use quarry_store::accounts::email_addresses;

/// Returns the further addresses of a user, in the order in which they were added.
///
/// # Errors
/// `NotFound` if there is no such user.
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
    user: UserId,
) -> Result<Vec<EmailAddress>, ActionError> {
    require_user(db, viewer, user)?;
    Ok(email_addresses::list(db, user)?)
}

/// Returns a further address of a user.
///
/// # Errors
/// `NotFound` if the user has no such address.
pub fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    user: UserId,
    id: i64,
) -> Result<EmailAddress, ActionError> {
    require_user(db, viewer, user)?;
    email_addresses::find(db, user, id)?.ok_or(ActionError::NotFound)
}

/// Fails unless the viewer is an administrator and the user exists.
fn require_user(db: &Read<'_>, viewer: &Viewer, user: UserId) -> Result<(), ActionError> {
    require_admin(viewer)?;
    if db.catalogue().users.contains_key(&user) {
        Ok(())
    } else {
        Err(ActionError::NotFound)
    }
}

/// Maximum number of further addresses of a user.
const MAX_ADDRESSES: usize = 5;

/// Adds an address to those of a user, and returns its id.
///
/// # Errors
/// `Invalid` if it is no address, if somebody has it already, and when the user has too many.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    address: &str,
    notify: bool,
) -> Result<i64, ActionError> {
    require_user(db, viewer, user)?;
    let address = address.trim();
    let mut errors = ValidationErrors::new();
    user_rules::check_mail(db, &mut errors, None, address)?;
    if email_addresses::list(db, user)?.len() >= MAX_ADDRESSES {
        errors.add_message(&format!(
            "Email addresses are too many (maximum is {MAX_ADDRESSES} for one user)"
        ));
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    let now = db.now();
    let address = EmailAddress {
        user,
        address: address.to_owned(),
        notify,
        created_on: now,
        updated_on: now,
        ..EmailAddress::default()
    };
    Ok(email_addresses::insert(db, &address)?)
}

/// Sets whether mail goes to a further address of a user.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    id: i64,
    notify: bool,
) -> Result<(), ActionError> {
    let before = find(db, viewer, user, id)?;
    if before.notify != notify {
        let after = EmailAddress {
            notify,
            updated_on: db.now(),
            ..before
        };
        email_addresses::update(db, &after)?;
    }
    Ok(())
}

/// Removes a further address of a user.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    id: i64,
) -> Result<(), ActionError> {
    find(db, viewer, user, id)?;
    email_addresses::delete(db, id)?;
    account_links::end(db, user)
}
