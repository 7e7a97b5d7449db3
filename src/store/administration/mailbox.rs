//! The state of the mailbox from which mails are received, as written by its job.

use crate::{Read, StoreError, Write};
use quarry_domain::administration::mail::{MailboxState, MailboxStatus};

/// Returns the state of the mailbox.
pub fn status(db: &Read<'_>) -> Result<MailboxStatus, StoreError> {
    let sql = "SELECT state, changed_on, accepted_on, refused_on, failed_on, error FROM mailbox_status WHERE id = 1";
    let status = db.first(sql, &[], |row| {
        Ok(MailboxStatus {
            state: row.next::<String>()?.parse().unwrap_or_default(),
            changed_on: row.next()?,
            accepted_on: row.next()?,
            refused_on: row.next()?,
            failed_on: row.next()?,
            error: row.next()?,
        })
    })?;
    Ok(status.unwrap_or_default())
}

fn ensure_status(db: &mut Write<'_>) -> Result<(), StoreError> {
    let sql = "INSERT INTO mailbox_status (id) VALUES (1) ON CONFLICT (id) DO NOTHING";
    db.execute(sql, &[]).map(drop)
}

/// Records the state of the job.
pub fn set_state(db: &mut Write<'_>, state: MailboxState) -> Result<(), StoreError> {
    ensure_status(db)?;
    let now = db.now();
    let sql = "UPDATE mailbox_status SET state = ?1, changed_on = ?2 WHERE id = 1";
    db.execute(sql, &[state.name().into(), now.into()])
        .map(drop)
}

/// Records that a mail of the mailbox was accepted or refused.
pub fn note_received(db: &mut Write<'_>, is_accepted: bool) -> Result<(), StoreError> {
    ensure_status(db)?;
    let now = db.now();
    let column = if is_accepted {
        "accepted_on"
    } else {
        "refused_on"
    };
    let sql = format!("UPDATE mailbox_status SET {column} = ?1 WHERE id = 1");
    db.execute(&sql, &[now.into()]).map(drop)
}

/// Records why mails cannot be received.
pub fn note_error(db: &mut Write<'_>, error: &str) -> Result<(), StoreError> {
    ensure_status(db)?;
    let now = db.now();
    let sql = "UPDATE mailbox_status SET failed_on = ?1, error = ?2 WHERE id = 1";
    db.execute(sql, &[now.into(), error.into()]).map(drop)
}
