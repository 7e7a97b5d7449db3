//! A mail address that a user gives their own account counts only after it was confirmed: by its user, logged
//! in, with the link that is sent to it, or by an administrator.
//!
//! Invariants: until then nothing is sent to it but that link, and it is no way to another password; so the API
//! key of a user who is no administrator, with which an address can be changed, does not lead to a password. May import: `domain`, `store`.

use crate::accounts::account_warnings::{self, AccountEvent};
use crate::accounts::{account_links, user_rules};
use crate::administration::require_admin;
use crate::prelude::*;
use jiff::SignedDuration;
use quarry_domain::accounts::user::User;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::mail::{MailKind, NewMail};
use quarry_store::accounts::{address_changes, users};
use std::sync::Arc;

/// How long a link is valid.
pub const LIFETIME: SignedDuration = SignedDuration::from_hours(3 * 24);
/// Maximum number of links to an address in an hour, from all users.
const MAX_LINKS: i64 = 3;

/// Returns the address that a user wants to have: the one that is not confirmed, otherwise the stored one.
pub fn wanted(db: &Read<'_>, user: &User) -> Result<String, StoreError> {
    let unconfirmed = address_changes::address(db, user.id)?;
    Ok(unconfirmed.unwrap_or_else(|| user.mail.clone()))
}

/// Keeps an address that a user wants to have in place of the stored one, and sends the link to it. The stored
/// address gets a warning.
pub(crate) fn request(
    db: &mut Write<'_>,
    user: UserId,
    stored: &str,
    wanted: &str,
) -> Result<(), ActionError> {
    if wanted == stored {
        return Ok(address_changes::delete(db, user)?);
    }
    if address_changes::address(db, user)?.as_deref() == Some(wanted) {
        return Ok(());
    }
    address_changes::set(db, user, wanted)?;
    account_warnings::insert(db, user, AccountEvent::MailAddressRequested)?;
    send_link(db, user)
}

/// Sends the link again. An earlier one stops working.
///
/// # Errors
/// `NotFound` if no address of the user waits.
pub fn send_link(db: &mut Write<'_>, user: UserId) -> Result<(), ActionError> {
    let address = address_changes::address(db, user)?.ok_or(ActionError::NotFound)?;
    let kind = MailKind::AddressConfirmation;
    let mail = NewMail::to_user(kind, user).with_topic(address.to_lowercase());
    Ok(account_warnings::insert_limited(
        db,
        user,
        kind.name(),
        &[mail],
    )?)
}

/// Creates the link while a mail with this topic is sent. Returns the address and the token; `None` if the address
/// for which the mail was meant does not wait any more, or has got `MAX_LINKS` links in the last hour.
pub fn create_link(
    db: &mut Write<'_>,
    user: UserId,
    topic: &str,
) -> Result<Option<(String, String)>, ActionError> {
    let address = address_changes::address(db, user)?;
    let Some(address) = address.filter(|address| address.to_lowercase() == topic) else {
        return Ok(None);
    };
    let now = db.now();
    let hour_ago = now
        .saturating_sub(SignedDuration::from_hours(1))
        .unwrap_or(now);
    if address_changes::count_links(db, &address, hour_ago)? >= MAX_LINKS {
        return Ok(None);
    }
    let token = account_links::fresh_token(db.entropy());
    let expires_on = now.saturating_add(LIFETIME).unwrap_or(now);
    address_changes::insert_link(db, user, &address, (&token, expires_on), hour_ago)?;
    Ok(Some((address, token)))
}

/// Confirms the address of the user with the link that was sent to it.
///
/// # Errors
/// `NotFound` if the link is not valid for this user; `Invalid` if somebody else has got the address meanwhile.
pub fn confirm(db: &mut Write<'_>, user: UserId, token: &str) -> Result<(), ActionError> {
    let address = address_changes::find(db, user, token)?.ok_or(ActionError::NotFound)?;
    apply_address(db, user, &address)
}

/// Confirms this address of a user without a link.
///
/// # Errors
/// `NotFound` if it is not the address that waits; `Invalid` if somebody else has got it meanwhile.
pub fn confirm_as_admin(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    address: &str,
) -> Result<(), ActionError> {
    require_waiting(db, viewer, user, address)?;
    apply_address(db, user, address)
}

/// Gives up this address of a user that is not confirmed.
pub fn discard_as_admin(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    address: &str,
) -> Result<(), ActionError> {
    require_waiting(db, viewer, user, address)?;
    address_changes::delete(db, user)?;
    db.audit(AuditEvent::new(
        RecordType::User,
        user,
        "mail address discarded",
    ));
    Ok(())
}

/// Fails unless the viewer is an administrator and this address of the user waits.
fn require_waiting(
    db: &Read<'_>,
    viewer: &Viewer,
    user: UserId,
    address: &str,
) -> Result<(), ActionError> {
    require_admin(viewer)?;
    let waiting = address_changes::address(db, user)?;
    let is_waiting = waiting.as_deref() == Some(address);
    is_waiting.then_some(()).ok_or(ActionError::NotFound)
}

/// Makes the address that of the user.
fn apply_address(db: &mut Write<'_>, id: UserId, address: &str) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = catalogue.users.get(&id).ok_or(ActionError::NotFound)?;
    let mut errors = ValidationErrors::new();
    user_rules::check_mail(db, &mut errors, Some(id), address)?;
    errors.into_result().map_err(ActionError::Invalid)?;
    let user = User {
        mail: address.to_owned(),
        updated_on: db.now(),
        ..before.clone()
    };
    users::update(db, &user)?;
    address_changes::delete(db, id)?;
    account_links::end(db, id)?;
    account_warnings::insert_for_address(db, id, &before.mail, address)?;
    db.audit(
        AuditEvent::new(RecordType::User, id, "mail address confirmed").with_name(&before.login),
    );
    Ok(())
}
