//! Mails about accounts that wait until an administrator approves them: to the administrators, and to
//! the user after the approval.
//!
//! May import: `domain`, `store`.

use crate::accounts::account_warnings;
use crate::notices::outbox;
use crate::prelude::*;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::mail::{MailKind, NewMail};
use std::sync::Arc;

/// The parameter of a mail to an administrator with the id of the account.
pub const ACCOUNT: &str = "account";
/// The name under which mails to an administrator are counted.
const EVENT: &str = "new_account";

/// Inserts the mails to all administrators about an account that waits. Each of them gets only a few in
/// an hour.
pub(crate) fn insert_waiting(db: &mut Write<'_>, account: UserId) -> Result<(), StoreError> {
    let catalogue = Arc::clone(db.catalogue());
    let mut administrators: Vec<UserId> = catalogue
        .users
        .values()
        .filter(|user| user.admin && user.status == UserStatus::Active)
        .map(|user| user.id)
        .collect();
    administrators.sort_unstable();
    for administrator in administrators {
        let mail = NewMail::to_user(MailKind::NewAccount, administrator)
            .with_data(ACCOUNT, account.to_string());
        account_warnings::insert_limited(db, administrator, EVENT, &[mail])?;
    }
    Ok(())
}

/// Inserts the mail to the user whose account an administrator has activated.
pub(crate) fn insert_activated(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let mail = NewMail::to_user(MailKind::AccountActivated, user);
    outbox::insert(db, &[mail]).map(drop)
}
