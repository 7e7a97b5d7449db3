//! Known devices: if the setting `warn_about_new_devices` is on, a mail warns users of logins with a
//! browser in which their account was not used before.
//!
//! A browser keeps a cookie with a random token for each account that was used in it. Invariants: a
//! token is valid for one user only, and only if the service created it in a login of that user, so
//! that nobody can make another browser known. The store has only hashes of tokens. May import:
//! `domain`, `store`.

use crate::accounts::account_links;
use crate::accounts::account_warnings;
use crate::prelude::*;
use jiff::{SignedDuration, Timestamp};
use quarry_domain::administration::setting::Setting;
use quarry_store::accounts::devices;

/// How long a browser is known after the last login in it.
pub const LIFETIME: SignedDuration = SignedDuration::from_hours(400 * 24);
/// Maximum number of known browsers of a user; the least recently used ones are deleted first.
const MAX_DEVICES: i64 = 20;
/// Maximum number of tokens that a browser keeps, one for each account.
pub const MAX_TOKENS: usize = 5;
/// Maximum number of browsers that are deleted in one transaction.
const DELETED_AT_ONCE: i64 = 5_000;

/// A complete login, after the second factor.
#[derive(Clone, Debug)]
pub struct DeviceLogin {
    /// The tokens in the cookie of the browser.
    pub tokens: Vec<String>,
    pub address: String,
    pub user_agent: String,
    /// Whether the login only replaces a session after a change of the account; then no mail is sent.
    pub is_trusted: bool,
}

/// Records a login, and warns of it if the browser is new. Returns the tokens for the cookie of the
/// browser; `None` while the setting is off.
pub fn record_login(
    db: &mut Write<'_>,
    user: UserId,
    login: &DeviceLogin,
) -> Result<Option<Vec<String>>, ActionError> {
    if !db.catalogue().is_on(Setting::WarnAboutNewDevices) {
        return Ok(None);
    }
    let mut tokens: Vec<String> = login.tokens.iter().take(MAX_TOKENS).cloned().collect();
    let now = db.now();
    let used_after = now.saturating_sub(LIFETIME).unwrap_or(Timestamp::MIN);
    if devices::update_used_on(db, user, &tokens, used_after)? {
        return Ok(Some(tokens));
    }
    // The first browser has none to be compared with, so it causes no warning.
    let is_first = devices::count(db, user)? == 0;
    let token = account_links::fresh_token(db.entropy());
    devices::insert(db, user, &token, MAX_DEVICES)?;
    if !is_first && !login.is_trusted {
        account_warnings::insert_login(db, user, &login.address, &login.user_agent)?;
    }
    if tokens.len() == MAX_TOKENS {
        tokens.remove(0);
    }
    tokens.push(token);
    Ok(Some(tokens))
}

/// Deletes known browsers if the setting is off. Returns whether more may be left.
pub fn delete_unused(db: &mut Write<'_>) -> Result<bool, StoreError> {
    if db.catalogue().is_on(Setting::WarnAboutNewDevices) {
        return Ok(false);
    }
    Ok(devices::delete(db, DELETED_AT_ONCE)? > 0)
}
