//! Links with which users who have lost their passwords choose other ones. A token is looked up by
//! its digest; the store never has the token itself.

use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::ids::UserId;

/// Returns the user to whom a valid link belongs.
pub fn find(db: &Read<'_>, token: &str) -> Result<Option<UserId>, StoreError> {
    let sql = "SELECT user_id FROM lost_passwords WHERE token_digest = ?1 AND expires_on > ?2";
    let digest = db.secrets().digest(token);
    db.first(sql, &[digest.as_str().into(), db.now().into()], |row| {
        row.next()
    })
}

/// Returns the number of other mails with valid links of a user.
pub fn count_other_mails(db: &Read<'_>, user: UserId, mail: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(DISTINCT mail_id) FROM lost_passwords WHERE user_id = ?1 AND mail_id <> ?2 AND expires_on > ?3";
    db.query_i64(sql, &[user.into(), mail.into(), db.now().into()])
}

/// Inserts a link.
pub fn insert(
    db: &mut Write<'_>,
    token: &str,
    user: UserId,
    mail: i64,
    expires_on: Timestamp,
) -> Result<(), StoreError> {
    let columns = ColumnValues::new()
        .set("token_digest", db.secrets().digest(token))
        .set("user_id", user)
        .set("mail_id", mail)
        .set("expires_on", expires_on);
    db.insert_record::<i64>("lost_passwords", columns)?;
    Ok(())
}

/// Deletes the links of a user.
pub fn delete_of_user(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let sql = "DELETE FROM lost_passwords WHERE user_id = ?1";
    db.execute(sql, &[user.into()]).map(drop)
}

/// Deletes the links that have expired.
pub fn delete_expired(db: &mut Write<'_>) -> Result<(), StoreError> {
    let sql = "DELETE FROM lost_passwords WHERE expires_on <= ?1";
    let now = db.now();
    db.execute(sql, &[now.into()]).map(drop)
}
