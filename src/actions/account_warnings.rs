//! Warnings by mail about changes of the own account, so that nobody takes an account over unnoticed.
//!
//! May import: `domain`, `store`.

use crate::mails;
use quarry_domain::administration::mail::{MailKind, NewMail};
use quarry_domain::ids::UserId;
use quarry_store::{StoreError, Write};
use std::sync::Arc;

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountEvent {
    ApiKey,
    MailAddress,
    Password,
    SecondFactorOff,
    SecondFactorOn,
}

impl AccountEvent {
    /// All events.
    pub const ALL: [AccountEvent; 5] = [
        AccountEvent::ApiKey,
        AccountEvent::MailAddress,
        AccountEvent::Password,
        AccountEvent::SecondFactorOff,
        AccountEvent::SecondFactorOn,
    ];

    /// Returns the name in the parameters of the mail.
    pub fn name(self) -> &'static str {
        match self {
            AccountEvent::ApiKey => "api_key",
            AccountEvent::MailAddress => "mail_address",
            AccountEvent::Password => "password",
            AccountEvent::SecondFactorOff => "second_factor_off",
            AccountEvent::SecondFactorOn => "second_factor_on",
        }
    }

    /// Returns the event with this name.
    pub fn from_name(name: &str) -> Option<AccountEvent> {
        AccountEvent::ALL
            .into_iter()
            .find(|event| event.name() == name)
    }
}

/// The parameter with the name of the event.
pub const EVENT: &str = "event";

/// Inserts the mail to the user about a change. It goes to the address of this moment, which nobody
/// can change before the mail is sent.
pub fn insert(db: &mut Write<'_>, user: UserId, event: AccountEvent) -> Result<(), StoreError> {
    let catalogue = Arc::clone(db.catalogue());
    let address = catalogue.users.get(&user).map_or("", |user| &user.mail);
    insert_to(db, user, event, &[address])
}

/// Inserts the mails about another mail address of the user: to the new one, and to the old one.
pub fn insert_for_address(
    db: &mut Write<'_>,
    user: UserId,
    old_address: &str,
    new_address: &str,
) -> Result<(), StoreError> {
    let addresses = [old_address, new_address];
    insert_to(db, user, AccountEvent::MailAddress, &addresses)
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
    mails::insert(db, &new).map(drop)
}
