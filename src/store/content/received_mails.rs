//! The digests of accepted mails, and the complete texts of mails that became records.

use crate::engine::Value;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::content::incoming_mail::{MailedRecord, OriginalMail};
use quarry_domain::ids::UserId;

/// Records that a mail with this digest was accepted from the user. Returns whether it is new.
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

/// Deletes the digests of mails from before this time.
pub fn delete_before(db: &mut Write<'_>, time: Timestamp) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM received_mails WHERE received_on < ?1",
        &[time.into()],
    )
    .map(drop)
}

/// Returns the table with the complete texts of mails that became records of this kind, its key column,
/// and the id of the record.
fn place(record: MailedRecord) -> (&'static str, &'static str, i64) {
    match record {
        MailedRecord::Note(id) => ("original_mails", "journal_id", id.0),
        MailedRecord::Message(id) => ("original_message_mails", "message_id", id),
        MailedRecord::Issue(id) => ("original_issue_mails", "issue_id", id.0),
    }
}

/// Stores the complete text of a mail that became this record.
pub fn insert_original(
    db: &mut Write<'_>,
    record: MailedRecord,
    mail: &OriginalMail,
) -> Result<(), StoreError> {
    let (table, key, id) = place(record);
    let columns = ColumnValues::new()
        .set(key, id)
        .set("sender", &mail.sender)
        .set("subject", &mail.subject)
        .set("sent_on", &mail.date)
        .set("body", &mail.text)
        .set("received_on", mail.received_on);
    db.insert_row(table, columns)
}

/// Deletes the complete text of the mail that became this record.
pub fn delete_original(db: &mut Write<'_>, record: MailedRecord) -> Result<(), StoreError> {
    let (table, key, id) = place(record);
    let sql = format!("DELETE FROM {table} WHERE {key} = ?1");
    db.execute(&sql, &[id.into()]).map(drop)
}

/// Returns the complete text of the mail that became this record. The caller checks that the viewer
/// may read the record.
pub fn find_original(
    db: &Read<'_>,
    record: MailedRecord,
) -> Result<Option<OriginalMail>, StoreError> {
    let (table, key, id) = place(record);
    let sql =
        format!("SELECT sender, subject, sent_on, body, received_on FROM {table} WHERE {key} = ?1");
    db.first(&sql, &[id.into()], |row| {
        Ok(OriginalMail {
            sender: row.next()?,
            subject: row.next()?,
            date: row.next()?,
            text: row.next()?,
            received_on: row.next()?,
        })
    })
}

/// Returns the ids of those of the records that were created by mail. All must be of the same kind.
pub fn with_original(
    db: &Read<'_>,
    records: impl Iterator<Item = MailedRecord>,
) -> Result<Vec<i64>, StoreError> {
    let places: Vec<_> = records.map(place).collect();
    let Some((table, key, _)) = places.first() else {
        return Ok(Vec::new());
    };
    let sql = format!("SELECT {key} FROM {table} WHERE {key} IN ids(?1)");
    let ids = places
        .iter()
        .filter(|(other, _, _)| other == table)
        .map(|(_, _, id)| *id);
    db.rows(&sql, &[Value::Ids(ids.collect())], |row| row.next())
}
