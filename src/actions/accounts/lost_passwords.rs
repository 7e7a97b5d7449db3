//! Lost passwords: a user gets a link by mail, with which they choose another password.
//!
//! Invariants: nobody learns whether an account exists; a link works once, for an hour, and only
//! while the user is active. The token is made when the mail is sent. May import: `domain`, `store`.

use crate::accounts::account_warnings::{self, AccountEvent};
use crate::accounts::{account, account_links};
use crate::notices::outbox;
use crate::prelude::*;
use jiff::SignedDuration;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::mail::{MailKind, NewMail};
use quarry_domain::administration::setting::Setting;
use quarry_domain::values::mail_address::is_valid_address;
use quarry_store::accounts::{lost_passwords, users};

/// How long a link is valid.
pub const LIFETIME: SignedDuration = SignedDuration::from_hours(1);
/// Maximum number of mails with valid links of a user. Further requests send nothing.
const MAX_LINKS: i64 = 3;

/// Whether the service sends links: mail is on, and the setting allows it.
pub fn is_offered(db: &Read<'_>) -> Result<bool, ActionError> {
    Ok(db.catalogue().is_on(Setting::LostPassword) && outbox::is_on(db)?)
}

/// Sends a link to the user who has this mail address, if there is one. That is looked up when the
/// mail is sent, so that not even the time of this request tells whether the account exists.
///
/// # Errors
/// `Forbidden` unless links are offered.
pub fn request(db: &mut Write<'_>, address: &str) -> Result<(), ActionError> {
    if !is_offered(db)? {
        return Err(ActionError::Forbidden);
    }
    let address = address.trim();
    if is_valid_address(address) {
        let mail =
            NewMail::to_address(MailKind::LostPassword, address).with_topic(address.to_lowercase());
        outbox::insert(db, &[mail])?;
    }
    Ok(())
}

fn is_active(db: &Read<'_>, user: UserId) -> bool {
    let user = db.catalogue().users.get(&user);
    user.is_some_and(|user| user.status == UserStatus::Active)
}

/// Creates a link while its mail is sent to an address. Returns the user and the token; `None` if
/// nobody has the address, or the user may not have another link.
pub fn create_link(
    db: &mut Write<'_>,
    mail: i64,
    address: &str,
) -> Result<Option<(UserId, String)>, ActionError> {
    let Some(user) = users::find_by_mail(db, address, None)? else {
        return Ok(None);
    };
    let is_allowed = is_offered(db)?
        && is_active(db, user)
        && lost_passwords::count_other_mails(db, user, mail)? < MAX_LINKS;
    if !is_allowed {
        return Ok(None);
    }
    let token = account_links::fresh_token(db.entropy());
    let now = db.now();
    let expires_on = now.saturating_add(LIFETIME).unwrap_or(now);
    lost_passwords::insert(db, &token, user, mail, expires_on)?;
    Ok(Some((user, token)))
}

/// Returns the user to whom a link belongs, while it can be used.
pub fn find(db: &Read<'_>, token: &str) -> Result<Option<UserId>, ActionError> {
    if !is_offered(db)? {
        return Ok(None);
    }
    Ok(lost_passwords::find(db, token)?.filter(|user| is_active(db, *user)))
}

/// Sets the password of the user to whom a link belongs, and ends their sessions. All links of the
/// user stop working.
///
/// # Errors
/// `NotFound` if the link cannot be used; `Invalid` for a password that is too short.
pub fn reset(db: &mut Write<'_>, token: &str, password: &str) -> Result<(), ActionError> {
    let user = find(db, token)?.ok_or(ActionError::NotFound)?;
    account::set_password(db, user, password)?;
    users::set_must_change_password(db, user, false)?;
    account_warnings::insert(db, user, AccountEvent::Password)?;
    db.audit(AuditEvent::new(RecordType::LostPassword, user, "replaced").of_principal(user.into()));
    Ok(())
}
