//! Puts mails about notices into the outbox.
//!
//! The notices of a person about a thread that wait for mail become one mail. It names them; what it
//! says is decided when it is sent. Invariant: a notice is mailed at most once to
//! each address.

use crate::mails;
use crate::mails::MAX_WAITING;
use jiff::{SignedDuration, Timestamp};
use quarry_domain::administration::mail::{Mail, MailKind, NewMail};
use quarry_domain::ids::UserId;
use quarry_domain::notices::notice::{Notice, Thread};
use quarry_domain::notices::reasons::Reason;
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

/// Inserts mails of some of the notices that are due. Returns how many; 0 if none is due or none
/// fits. The outbox is counted once for all of them, because other writes wait meanwhile.
pub fn queue(db: &mut Write<'_>) -> Result<usize, StoreError> {
    // Mail was off meanwhile.
    let oldest = db.now().saturating_sub(MAX_DELAY).unwrap_or(Timestamp::MIN);
    notices::forget_mails(db, oldest)?;
    let due = notices::list_mailable(db, db.now(), BATCH)?;
    // What does not fit waits as a notice.
    let free = MAX_WAITING - outbox::count_waiting(db)?;
    if due.is_empty() || free < BATCH {
        return Ok(0);
    }
    let threads: BTreeSet<(UserId, Thread)> = due
        .iter()
        .map(|notice| (notice.user, notice.thread))
        .collect();
    let mut new = Vec::new();
    let mut told = Vec::new();
    for (user, thread) in threads {
        let waiting = notices::list_mailable_by_thread(db, user, thread, MAX_NOTICES)?;
        let ids: Vec<i64> = waiting.iter().map(|notice| notice.id).collect();
        let of_thread = new_mails(db, user, &ids)?;
        if new.len() + of_thread.len() > usize::try_from(free).unwrap_or(0) {
            break;
        }
        new.extend(of_thread);
        told.extend(ids);
    }
    notices::mark_mailed(db, &told)?;
    mails::insert(db, &new)
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

/// Returns the notices that a mail tells of, oldest first: none if its address no longer takes the
/// notices of its user, and of a thread that was muted meanwhile only those that address the user.
pub fn find(db: &Read<'_>, mail: &Mail) -> Result<Vec<Notice>, StoreError> {
    let Some(user) = mail.user else {
        return Ok(Vec::new());
    };
    if !mail.address.is_empty() && !takes_notices(db, user, &mail.address)? {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = mail
        .data(NOTICES)
        .split(',')
        .filter_map(|id| id.parse().ok())
        .collect();
    let mut told = notices::list_by_ids(db, user, &ids)?;
    if let Some(thread) = told.first().map(|notice| notice.thread)
        && notices::choice(db, user, thread)?.is_muted
    {
        told.retain(|notice| notice.reasons.iter().any(Reason::is_urgent));
    }
    Ok(told)
}

/// Whether notices of the user go to this further address.
fn takes_notices(db: &Read<'_>, user: UserId, address: &str) -> Result<bool, StoreError> {
    let further = email_addresses::list(db, user)?;
    Ok(further
        .iter()
        .any(|further| further.notify && further.address == address))
}
