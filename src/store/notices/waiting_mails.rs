//! The mails about notices that wait for their time. A notice has the time in `mail_on` until its mail is in
//! the outbox.

use super::list;
use crate::engine::Value;
use crate::{Read, StoreError, Write};
use jiff::{SignedDuration, Timestamp};
use quarry_domain::ids::UserId;
use quarry_domain::notices::notice::{Notice, Thread};

/// By what a due time is later than that of the notice, so that the mail is not urgent.
const SECOND: SignedDuration = SignedDuration::from_secs(1);

/// Returns the notices whose mail is due, the first due first.
pub fn list_due(db: &Read<'_>, now: Timestamp, limit: i64) -> Result<Vec<Notice>, StoreError> {
    let conditions = "mail_on <= ?1 ORDER BY mail_on, id LIMIT ?2";
    list(db, conditions, &[now.into(), limit.into()])
}

/// Returns the notices of a user about a thread with waiting mail, due or not, oldest first.
pub fn list_by_thread(
    db: &Read<'_>,
    user: UserId,
    thread: Thread,
    limit: i64,
) -> Result<Vec<Notice>, StoreError> {
    let conditions = "user_id = ?1 AND thread_kind = ?2 AND thread_id = ?3 AND mail_on IS NOT NULL ORDER BY id LIMIT ?4";
    let kind = i64::from(thread.kind.code());
    let values = [user.into(), kind.into(), thread.id.into(), limit.into()];
    list(db, conditions, &values)
}

/// Returns the notices of a user whose mail is due and not urgent, with ids below `before`, the latest first.
pub fn list_due_by_user(
    db: &Read<'_>,
    user: UserId,
    before: i64,
    limit: i64,
) -> Result<Vec<Notice>, StoreError> {
    let conditions = "user_id = ?1 AND mail_on <= ?2 AND mail_on > created_on AND id < ?3 ORDER BY id DESC LIMIT ?4";
    list(
        db,
        conditions,
        &[user.into(), db.now().into(), before.into(), limit.into()],
    )
}

/// Records that the mail about the notices of a user that are due and not urgent is in the outbox.
pub fn mark_mailed_by_user(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let sql = "UPDATE notices SET mail_on = NULL WHERE user_id = ?1 AND mail_on <= ?2 AND mail_on > created_on";
    let values = [user.into(), db.now().into()];
    db.execute(sql, &values).map(drop)
}

/// Changes the due time of the mail about all waiting notices of a user that are not urgent.
pub fn reschedule(db: &mut Write<'_>, user: UserId, mail_on: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE notices SET mail_on = ?2 WHERE user_id = ?1 AND mail_on > created_on";
    db.execute(sql, &[user.into(), mail_on.into()]).map(drop)
}

/// Records that the mail about these notices is in the outbox.
pub fn mark_mailed(db: &mut Write<'_>, ids: &[i64]) -> Result<(), StoreError> {
    let sql = "UPDATE notices SET mail_on = NULL WHERE id IN ids(?1)";
    db.execute(sql, &[Value::Ids(ids.to_vec())]).map(drop)
}

/// Cancels the waiting mail about the notices of a user about a thread.
pub fn cancel_of_thread(
    db: &mut Write<'_>,
    user: UserId,
    thread: Thread,
) -> Result<(), StoreError> {
    let sql = "UPDATE notices SET mail_on = NULL WHERE user_id = ?1 AND thread_kind = ?2 AND thread_id = ?3 AND mail_on IS NOT NULL";
    let kind = i64::from(thread.kind.code());
    db.execute(sql, &[user.into(), kind.into(), thread.id.into()])
        .map(drop)
}

/// Cancels the mail about notices that was due before this time.
pub fn cancel_overdue(db: &mut Write<'_>, before: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE notices SET mail_on = NULL WHERE mail_on < ?1";
    db.execute(sql, &[before.into()]).map(drop)
}

/// Makes mail about notices due now that is due after `latest`, which only a clock that was ahead can have
/// set. Changes the times of the notices as well: mail that is due when its notice is created is urgent.
/// Returns the number of notices.
pub fn correct_times(db: &mut Write<'_>, latest: Timestamp) -> Result<usize, StoreError> {
    let now = db.now();
    let before = now.saturating_sub(SECOND).unwrap_or(now);
    let urgent = "UPDATE notices SET created_on = ?1, mail_on = ?1 WHERE mail_on > ?2 AND mail_on = created_on";
    let urgent = db.execute(urgent, &[now.into(), latest.into()])?;
    let others = "UPDATE notices SET created_on = ?1, mail_on = ?3 WHERE mail_on > ?2";
    let others = db.execute(others, &[before.into(), latest.into(), now.into()])?;
    Ok(urgent + others)
}

/// Whether mail about any notice is due.
pub fn has_due(db: &Read<'_>, now: Timestamp) -> Result<bool, StoreError> {
    Ok(!list_due(db, now, 1)?.is_empty())
}
