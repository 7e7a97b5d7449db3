//! Mails that were received: which ones, and the complete texts of those that became notes.

use crate::engine::Value;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::content::incoming_mail::OriginalMail;
use quarry_domain::ids::{JournalId, UserId};

/// Records that a mail was accepted from the user. Returns whether it is new.
pub fn insert(db: &mut Write<'_>, user: UserId, digest: &str) -> Result<bool, StoreError> {
    let sql = "INSERT INTO received_mails (user_id, digest, received_on) VALUES (?1, ?2, ?3) \
               ON CONFLICT (user_id, digest) DO NOTHING";
    let inserted = db.execute(sql, &[user.into(), digest.into(), db.now().into()])?;
    Ok(inserted > 0)
}

/// Returns the number of mails that were accepted from the user since this time.
pub fn count_since(db: &Read<'_>, user: UserId, since: Timestamp) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM received_mails WHERE user_id = ?1 AND received_on > ?2",
        &[user.into(), since.into()],
    )
}

/// Forgets the mails from before this time.
pub fn delete_before(db: &mut Write<'_>, time: Timestamp) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM received_mails WHERE received_on < ?1",
        &[time.into()],
    )
    .map(drop)
}

/// Stores the complete text of a mail that became a note.
pub fn insert_original(
    db: &mut Write<'_>,
    journal: JournalId,
    mail: &OriginalMail,
) -> Result<(), StoreError> {
    let columns = ColumnValues::new()
        .set("journal_id", journal)
        .set("sender", &mail.sender)
        .set("subject", &mail.subject)
        .set("sent_on", &mail.date)
        .set("body", &mail.text)
        .set("received_on", mail.received_on);
    db.insert_row("original_mails", columns)
}

/// Deletes the complete text of the mail that became this note.
pub fn delete_original(db: &mut Write<'_>, journal: JournalId) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM original_mails WHERE journal_id = ?1",
        &[journal.into()],
    )
    .map(drop)
}

/// Returns the complete text of the mail that became this note. The caller checks that the viewer
/// may read the note.
pub fn find_original(
    db: &Read<'_>,
    journal: JournalId,
) -> Result<Option<OriginalMail>, StoreError> {
    let sql = "SELECT sender, subject, sent_on, body, received_on FROM original_mails WHERE journal_id = ?1";
    db.first(sql, &[journal.into()], |row| {
        Ok(OriginalMail {
            sender: row.next()?,
            subject: row.next()?,
            date: row.next()?,
            text: row.next()?,
            received_on: row.next()?,
        })
    })
}

/// Returns which of the notes came by mail.
pub fn with_original(db: &Read<'_>, journals: &[JournalId]) -> Result<Vec<JournalId>, StoreError> {
    let ids = Value::Ids(journals.iter().map(|id| id.0).collect());
    db.rows(
        "SELECT journal_id FROM original_mails WHERE journal_id IN ids(?1)",
        &[ids],
        |row| row.next(),
    )
}
