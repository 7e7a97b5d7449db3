//! The outbox: mails that wait to be sent, and those that could not be sent.
//!
//! A mail is inserted in the transaction of its cause, and written when it is sent. Invariants:
//! the outbox is bounded; while mail is off, nothing is inserted. May import: `domain`, `store`.

use crate::content::reply_addresses;
use crate::prelude::*;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::mail::NewMail;
use quarry_domain::administration::setting::Setting;
use quarry_domain::values::mail_address::is_valid_address;
use quarry_store::administration::outbox;

/// Maximum number of waiting mails.
const MAX_WAITING: i64 = 100_000;
/// Maximum number of mails that are kept after they have failed permanently.
const MAX_FAILED: i64 = 10_000;
/// Length of the random part of the id of a message in bytes.
const RANDOM: usize = 12;

/// Whether mail is configured.
pub fn is_on(db: &Read<'_>) -> Result<bool, StoreError> {
    Ok(outbox::status(db)?.is_on)
}

/// Inserts mails and returns their number. Inserts nothing while mail is off, and no mail with the topic
/// of one that waits. Mails for which the outbox has no room are dropped, counted and logged.
pub fn insert(db: &mut Write<'_>, new: &[NewMail]) -> Result<usize, StoreError> {
    if new.is_empty() || !is_on(db)? {
        return Ok(0);
    }
    let mut free = count_free(db)?;
    let mut inserted = 0;
    let mut dropped = 0;
    for mail in new {
        if !mail.topic.is_empty() && outbox::is_waiting(db, mail.kind, mail.user, &mail.topic)? {
            continue;
        }
        if free <= 0 {
            dropped += 1;
            continue;
        }
        let id = message_id(db, mail);
        outbox::insert(db, mail, &id)?;
        free -= 1;
        inserted += 1;
    }
    if dropped > 0 {
        outbox::add_dropped(db, dropped)?;
        tracing::error!(dropped, "the outbox is full; mails were dropped");
    }
    Ok(inserted)
}

/// Returns how many more mails the outbox has room for.
pub fn count_free(db: &Read<'_>) -> Result<i64, StoreError> {
    Ok(MAX_WAITING - outbox::count_waiting(db)?)
}

/// Returns a new `Message-ID`, with a reply token if the mail can be answered.
fn message_id(db: &Write<'_>, mail: &NewMail) -> String {
    let mut random = [0u8; RANDOM];
    db.entropy().fill(&mut random);
    let random = hex::encode(random);
    let with_token = mail
        .user
        .zip(mail.reply_target)
        .and_then(|(user, target)| reply_addresses::message_id(db, user, target, &random));
    with_token.unwrap_or_else(|| {
        let kind = mail.kind.name();
        format!("{kind}.{random}@{}", host(db.catalogue()))
    })
}

/// Returns the host of the service, without port and path.
fn host(catalogue: &Catalogue) -> String {
    let setting = catalogue.setting(Setting::HostName);
    let host: String = setting
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
        .collect();
    if is_valid_address(&format!("a@{host}")) {
        host
    } else {
        "localhost".to_owned()
    }
}

/// Queues a mail that has failed permanently again, or all such mails.
///
/// # Errors
/// `NotFound` if the mail is not in the list.
pub fn send_again(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: Option<i64>,
) -> Result<usize, ActionError> {
    check(viewer)?;
    let count = outbox::send_again(db, id)?;
    finish(db, id, count, "sent again")
}

/// Deletes a mail that has failed permanently, or all such mails.
///
/// # Errors
/// As of [`send_again`].
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: Option<i64>) -> Result<usize, ActionError> {
    check(viewer)?;
    let count = outbox::delete_failed(db, id)?;
    finish(db, id, count, "deleted")
}

fn check(viewer: &Viewer) -> Result<(), ActionError> {
    if viewer.admin {
        Ok(())
    } else {
        Err(ActionError::Forbidden)
    }
}

fn finish(
    db: &mut Write<'_>,
    id: Option<i64>,
    count: usize,
    change: &'static str,
) -> Result<usize, ActionError> {
    if count == 0 && id.is_some() {
        return Err(ActionError::NotFound);
    }
    let event = AuditEvent::new(RecordType::FailedMail, id.unwrap_or_default(), change);
    db.audit(if id.is_none() {
        event.with_name(&format!("all {count}"))
    } else {
        event
    });
    Ok(count)
}

/// Deletes the oldest mails that have failed permanently, beyond `MAX_FAILED`.
pub fn delete_old(db: &mut Write<'_>) -> Result<(), StoreError> {
    outbox::delete_old_failed(db, MAX_FAILED)
}
