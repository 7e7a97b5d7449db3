//! Puts mails about notices into the outbox.
//!
//! The notices of a person about a thread that wait for mail become one mail. It names them; what it
//! says is decided when it is sent. Invariant: a notice is mailed at most once to
//! each address.

use crate::mails;
use crate::mails::MAX_WAITING;
use jiff::{SignedDuration, Timestamp};
use quarry_domain::administration::mail::{MailKind, NewMail};
use quarry_domain::ids::UserId;
use quarry_domain::notices::notice::{Notice, Thread};
use quarry_store::accounts::email_addresses;
use quarry_store::administration::mails as outbox;
use quarry_store::{Read, StoreError, Write, notices};
use std::collections::BTreeSet;

/// The parameter of a mail with the ids of its notices.
const NOTICES: &str = "notices";
/// Maximum number of notices that are due and looked at together.
const BATCH: i64 = 500;
/// Time after which a notice is no longer mailed.
const MAX_DELAY: SignedDuration = SignedDuration::from_hours(3 * 24);
/// Maximum number of notices that one mail tells of.
const MAX_NOTICES: i64 = 50;

/// Inserts the mails that are due. Returns whether more may be due.
pub fn queue(db: &mut Write<'_>) -> Result<bool, StoreError> {
    // Mail was off meanwhile.
    let oldest = db.now().saturating_sub(MAX_DELAY).unwrap_or(Timestamp::MIN);
    notices::forget_mails(db, oldest)?;
    let due = notices::list_mailable(db, db.now(), BATCH)?;
    // What does not fit waits as a notice.
    let free = MAX_WAITING - outbox::count_waiting(db)?;
    if due.is_empty() || free < BATCH {
        return Ok(false);
    }
    let threads: BTreeSet<(UserId, Thread)> = due
        .iter()
        .map(|notice| (notice.user, notice.thread))
        .collect();
    for (user, thread) in threads {
        let waiting = notices::list_mailable_by_thread(db, user, thread, MAX_NOTICES)?;
        let ids: Vec<i64> = waiting.iter().map(|notice| notice.id).collect();
        mails::insert(db, &new_mails(db, user, &ids)?)?;
        notices::mark_mailed(db, &ids)?;
    }
    Ok(i64::try_from(due.len()).is_ok_and(|count| count == BATCH))
}

/// Returns a mail to each address of a user that takes notices.
fn new_mails(db: &Read<'_>, user: UserId, notices: &[i64]) -> Result<Vec<NewMail>, StoreError> {
    let ids: Vec<String> = notices.iter().map(ToString::to_string).collect();
    let mail = NewMail::to_user(MailKind::Notices, user).with_data(NOTICES, ids.join(","));
    let further = email_addresses::list(db, user)?;
    let further = further.into_iter().filter(|address| address.notify);
    let to_further = further.map(|further| mail.clone().with_address(further.address));
    Ok(std::iter::once(mail.clone()).chain(to_further).collect())
}

/// Returns the notices that a mail tells of, oldest first.
pub fn find(
    db: &Read<'_>,
    user: UserId,
    parameter: impl Fn(&str) -> String,
) -> Result<Vec<Notice>, StoreError> {
    let ids: Vec<i64> = parameter(NOTICES)
        .split(',')
        .filter_map(|id| id.parse().ok())
        .collect();
    notices::list_by_ids(db, user, &ids)
}
