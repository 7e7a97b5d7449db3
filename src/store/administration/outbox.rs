//! The outbox: mails that wait to be sent, and those that could not be sent.
//!
//! A mail that is being sent belongs to one node until the end of its lease. If that node stops
//! meanwhile, the mail is sent again, with the same id of the message.

use crate::engine::{Row, StatementError};
use crate::json;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Value, Write};
use jiff::Timestamp;
use quarry_domain::administration::mail::{Mail, MailKind, MailStatus, NewMail};
use quarry_domain::ids::UserId;

const COLUMNS: &str = "id, kind, user_id, address, topic, data_json, message_id, attempts, error, created_on, send_on";

fn from_row(row: &Row<'_>) -> Result<Mail, StatementError> {
    Ok(Mail {
        id: row.next()?,
        kind: row.next::<String>()?.parse().ok(),
        user: row.next()?,
        address: row.next()?,
        topic: row.next()?,
        data: json::parse_map(row.next::<Option<String>>()?.as_deref()),
        message_id: row.next()?,
        attempts: row.next()?,
        error: row.next()?,
        created_on: row.next()?,
        send_on: row.next()?,
    })
}

/// Inserts a mail that waits. Returns its id.
pub fn insert(db: &mut Write<'_>, mail: &NewMail, message_id: &str) -> Result<i64, StoreError> {
    let columns = ColumnValues::new()
        .set("kind", mail.kind.name())
        .set("user_id", mail.user)
        .set("address", mail.address.as_str())
        .set("topic", mail.topic.as_str())
        .set("data_json", json::from_map(&mail.data))
        .set("message_id", message_id)
        .set("state", "waiting")
        .set("created_on", db.now())
        .set("send_on", mail.send_on.unwrap_or_else(|| db.now()));
    db.insert_record::<i64>("mails", columns)
}

/// Whether a mail of this kind waits for a user, or for nobody, about this topic.
pub fn is_waiting(
    db: &Read<'_>,
    kind: MailKind,
    user: Option<UserId>,
    topic: &str,
) -> Result<bool, StoreError> {
    let sql = "SELECT COUNT(*) FROM mails WHERE kind = ?1 AND topic = ?2 AND state = 'waiting' AND COALESCE(user_id, 0) = ?3";
    let user = user.map_or(0, |user| user.0);
    let values = [kind.name().into(), topic.into(), user.into()];
    Ok(db.query_i64(sql, &values)? > 0)
}

/// Returns the number of mails that wait or are being sent.
pub fn count_waiting(db: &Read<'_>) -> Result<i64, StoreError> {
    db.query_i64("SELECT COUNT(*) FROM mails WHERE state <> 'failed'", &[])
}

/// Returns when the next mail is due.
pub fn next_due(db: &Read<'_>) -> Result<Option<Timestamp>, StoreError> {
    let sql = "SELECT send_on FROM mails WHERE state <> 'failed' ORDER BY send_on, id LIMIT 1";
    db.first(sql, &[], |row| row.next())
}

/// Returns mails that are due, the first due first, and keeps them from other nodes until `lease`.
pub fn claim(
    db: &mut Write<'_>,
    now: Timestamp,
    lease: Timestamp,
    limit: i64,
) -> Result<Vec<Mail>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM mails WHERE state <> 'failed' AND send_on <= ?1 ORDER BY send_on, id LIMIT ?2"
    );
    let mails = db.rows(&sql, &[now.into(), limit.into()], from_row)?;
    let ids: Vec<i64> = mails.iter().map(|mail| mail.id).collect();
    db.execute(
        "UPDATE mails SET state = 'sending', send_on = ?2 WHERE id IN ids(?1)",
        &[Value::Ids(ids), lease.into()],
    )?;
    Ok(mails)
}

/// Deletes a mail that was sent, or that has nothing to say. Returns `false` if it no longer belongs
/// to the node.
pub fn delete_claimed(db: &mut Write<'_>, id: i64, lease: Timestamp) -> Result<bool, StoreError> {
    let sql = "DELETE FROM mails WHERE id = ?1 AND state = 'sending' AND send_on = ?2";
    Ok(db.execute(sql, &[id.into(), lease.into()])? > 0)
}

/// Gives mails back that were not tried.
pub fn release(db: &mut Write<'_>, ids: &[i64], lease: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE mails SET state = 'waiting', send_on = ?3 \
               WHERE id IN ids(?1) AND state = 'sending' AND send_on = ?2";
    let values = [Value::Ids(ids.to_vec()), lease.into(), db.now().into()];
    db.execute(sql, &values).map(drop)
}

/// Gives back all mails that are being sent, when no other process can be sending them.
pub fn release_all(db: &mut Write<'_>) -> Result<(), StoreError> {
    let sql = "UPDATE mails SET state = 'waiting', send_on = ?1 WHERE state = 'sending'";
    let now = db.now();
    db.execute(sql, &[now.into()]).map(drop)
}

/// Makes mails due now that are due after `latest`, which only a clock that was ahead can have set.
/// Returns their number.
pub fn correct_times(db: &mut Write<'_>, latest: Timestamp) -> Result<usize, StoreError> {
    let sql = "UPDATE mails SET state = 'waiting', send_on = ?1 \
               WHERE state <> 'failed' AND send_on > ?2";
    db.execute(sql, &[db.now().into(), latest.into()])
}

/// Notes a failed attempt, after which the mail waits until `retry_on`; without it, it has failed for
/// good.
pub fn note_failure(
    db: &mut Write<'_>,
    mail: &Mail,
    lease: Timestamp,
    retry_on: Option<Timestamp>,
    error: &str,
) -> Result<(), StoreError> {
    let sql = "UPDATE mails SET state = ?3, send_on = ?4, attempts = ?5, error = ?6 \
               WHERE id = ?1 AND state = 'sending' AND send_on = ?2";
    let state = if retry_on.is_some() {
        "waiting"
    } else {
        "failed"
    };
    let send_on = retry_on.unwrap_or_else(|| db.now());
    let values = [
        mail.id.into(),
        lease.into(),
        state.into(),
        send_on.into(),
        (mail.attempts + 1).into(),
        error.into(),
    ];
    db.execute(sql, &values).map(drop)
}

/// Returns mails that have failed for good, the latest first.
pub fn list_failed(db: &Read<'_>, offset: i64, limit: i64) -> Result<Vec<Mail>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM mails WHERE state = 'failed' ORDER BY id DESC LIMIT ?1 OFFSET ?2"
    );
    db.rows(&sql, &[limit.into(), offset.into()], from_row)
}

/// Returns the number of mails that have failed for good.
pub fn count_failed(db: &Read<'_>) -> Result<i64, StoreError> {
    db.query_i64("SELECT COUNT(*) FROM mails WHERE state = 'failed'", &[])
}

/// Sends a mail that has failed for good again, or all of them. Returns their number.
pub fn send_again(db: &mut Write<'_>, id: Option<i64>) -> Result<usize, StoreError> {
    let sql =
        "UPDATE mails SET state = 'waiting', attempts = 0, send_on = ?1 WHERE state = 'failed'";
    let now = db.now();
    match id {
        Some(id) => db.execute(&format!("{sql} AND id = ?2"), &[now.into(), id.into()]),
        None => db.execute(sql, &[now.into()]),
    }
}

/// Deletes a mail that has failed for good, or all of them. Returns their number.
pub fn delete_failed(db: &mut Write<'_>, id: Option<i64>) -> Result<usize, StoreError> {
    let sql = "DELETE FROM mails WHERE state = 'failed'";
    match id {
        Some(id) => db.execute(&format!("{sql} AND id = ?1"), &[id.into()]),
        None => db.execute(sql, &[]),
    }
}

/// Deletes the mails that have failed for good but for the latest `kept`.
pub fn delete_old_failed(db: &mut Write<'_>, kept: i64) -> Result<(), StoreError> {
    let sql = "DELETE FROM mails WHERE state = 'failed' AND id <= \
               (SELECT id FROM mails WHERE state = 'failed' ORDER BY id DESC LIMIT 1 OFFSET ?1)";
    db.execute(sql, &[kept.into()]).map(drop)
}

/// Returns what is known about the mail of the service.
pub fn status(db: &Read<'_>) -> Result<MailStatus, StoreError> {
    let sql = "SELECT is_on, sent_on, failed_on, error, dropped FROM mail_status WHERE id = 1";
    let status = db.first(sql, &[], |row| {
        Ok(MailStatus {
            is_on: row.next()?,
            sent_on: row.next()?,
            failed_on: row.next()?,
            error: row.next()?,
            dropped: row.next()?,
        })
    })?;
    Ok(status.unwrap_or_default())
}

fn ensure_status(db: &mut Write<'_>) -> Result<(), StoreError> {
    let sql = "INSERT INTO mail_status (id) VALUES (1) ON CONFLICT (id) DO NOTHING";
    db.execute(sql, &[]).map(drop)
}

/// Notes whether mail is configured.
pub fn set_on(db: &mut Write<'_>, is_on: bool) -> Result<(), StoreError> {
    ensure_status(db)?;
    let sql = "UPDATE mail_status SET is_on = ?1 WHERE id = 1";
    db.execute(sql, &[i64::from(is_on).into()]).map(drop)
}

/// Notes that a mail was accepted.
pub fn note_sent(db: &mut Write<'_>) -> Result<(), StoreError> {
    ensure_status(db)?;
    let now = db.now();
    let sql = "UPDATE mail_status SET sent_on = ?1 WHERE id = 1";
    db.execute(sql, &[now.into()]).map(drop)
}

/// Notes why a mail was not accepted.
pub fn note_error(db: &mut Write<'_>, error: &str) -> Result<(), StoreError> {
    ensure_status(db)?;
    let now = db.now();
    let sql = "UPDATE mail_status SET failed_on = ?1, error = ?2 WHERE id = 1";
    db.execute(sql, &[now.into(), error.into()]).map(drop)
}

/// Counts mails that did not fit.
pub fn add_dropped(db: &mut Write<'_>, count: i64) -> Result<(), StoreError> {
    ensure_status(db)?;
    let sql = "UPDATE mail_status SET dropped = dropped + ?1 WHERE id = 1";
    db.execute(sql, &[count.into()]).map(drop)
}
