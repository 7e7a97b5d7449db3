//! Warnings by mail about changes of and logins to one's account, so that nobody takes it over unnoticed.
//!
//! May import: `domain`, `store`.

use crate::notices::outbox;
use crate::prelude::*;
use jiff::SignedDuration;
use quarry_domain::administration::mail::{MailKind, NewMail};
use quarry_store::accounts::account_warnings;
use std::sync::Arc;
use strum::{EnumString, IntoStaticStr};

/// What the user is warned of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AccountEvent {
    ApiKey,
    MailAddress,
    /// Another mail address waits for its confirmation.
    MailAddressRequested,
    /// Somebody has logged in with a browser that was not used before.
    NewDevice,
    Password,
    SecondFactorOff,
    SecondFactorOn,
}

impl AccountEvent {
    /// Returns the name in the parameters of the mail.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The parameter with the name of the event.
pub const EVENT: &str = "event";
/// The parameter with the address of the client of a login.
pub const ADDRESS: &str = "address";
/// The parameter with the `User-Agent` of a login.
pub const USER_AGENT: &str = "user_agent";
/// Maximum number of characters of a `User-Agent`.
const MAX_AGENT_CHARS: usize = 255;

/// Maximum number of warnings about an account and one type of event in an hour. Without it, an
/// attacker could mail any number of strangers, by changing the mail address again and again. Each
/// type is counted alone, so that harmless events never silence the first signs of a takeover.
const MAX_WARNINGS: i64 = 5;

/// Inserts the mail to the user about a change. It goes to the current address, even if that is changed
/// before the mail is sent.
pub fn insert(db: &mut Write<'_>, user: UserId, event: AccountEvent) -> Result<(), StoreError> {
    let catalogue = Arc::clone(db.catalogue());
    let address = catalogue.users.get(&user).map_or("", |user| &user.mail);
    insert_to(db, user, event, &[address])
}

/// Inserts the mails about a changed mail address of the user, to the old and the new one.
pub fn insert_for_address(
    db: &mut Write<'_>,
    user: UserId,
    old_address: &str,
    new_address: &str,
) -> Result<(), StoreError> {
    let addresses = [old_address, new_address];
    insert_to(db, user, AccountEvent::MailAddress, &addresses)
}

/// Inserts the mail about a login with a browser that was not used before.
pub fn insert_login(
    db: &mut Write<'_>,
    user: UserId,
    address: &str,
    user_agent: &str,
) -> Result<(), StoreError> {
    let catalogue = Arc::clone(db.catalogue());
    let mail = catalogue.users.get(&user).map_or("", |user| &user.mail);
    if mail.is_empty() {
        return Ok(());
    }
    let agent = user_agent.chars().filter(|c| !c.is_control());
    let new = NewMail::to_user(MailKind::AccountWarning, user)
        .with_address(mail)
        .with_data(EVENT, AccountEvent::NewDevice.name())
        .with_data(ADDRESS, address)
        .with_data(USER_AGENT, agent.take(MAX_AGENT_CHARS).collect::<String>());
    insert_limited(db, user, AccountEvent::NewDevice.name(), &[new])
}

fn insert_to(
    db: &mut Write<'_>,
    user: UserId,
    event: AccountEvent,
    addresses: &[&str],
) -> Result<(), StoreError> {
    let known = addresses.iter().filter(|address| !address.is_empty());
    let new: Vec<NewMail> = known
        .map(|address| {
            NewMail::to_user(MailKind::AccountWarning, user)
                .with_address(*address)
                .with_data(EVENT, event.name())
        })
        .collect();
    insert_limited(db, user, event.name(), &new)
}

/// Inserts the mails to a user about an event with this name, unless there were too many about such
/// events in the last hour.
pub(crate) fn insert_limited(
    db: &mut Write<'_>,
    user: UserId,
    event: &str,
    new: &[NewMail],
) -> Result<(), StoreError> {
    let now = db.now();
    let hour_ago = now
        .saturating_sub(SignedDuration::from_hours(1))
        .unwrap_or(now);
    if account_warnings::count_since(db, user, event, hour_ago)? >= MAX_WARNINGS {
        return Ok(());
    }
    let inserted = outbox::insert(db, new)?;
    if inserted > 0 {
        account_warnings::insert(db, user, event, hour_ago)?;
    }
    Ok(())
}
