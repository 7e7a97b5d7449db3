//! Mail addresses that users have given themselves, until they are confirmed: one for each user. The token of
//! the link is looked up by its digest; the store never has the token itself.

use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::ids::UserId;

/// Returns the address of a user that is not confirmed.
pub fn address(db: &Read<'_>, user: UserId) -> Result<Option<String>, StoreError> {
    let sql = "SELECT address FROM address_changes WHERE user_id = ?1";
    db.first(sql, &[user.into()], |row| row.next())
}

/// Sets the address of a user that is not confirmed. The link of an earlier one stops working.
pub fn set(db: &mut Write<'_>, user: UserId, address: &str) -> Result<(), StoreError> {
    delete(db, user)?;
    let now = db.now();
    let sql = "INSERT INTO address_changes (user_id, address, created_on) VALUES (?1, ?2, ?3)";
    db.execute(sql, &[user.into(), address.into(), now.into()])
        .map(drop)
}

/// Returns the number of links that were sent to this address, ignoring case, after `since`.
pub fn count_links(db: &Read<'_>, address: &str, since: Timestamp) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM address_links WHERE address_digest = ?1 AND mailed_on > ?2";
    db.query_i64(sql, &[digest(db, address).into(), since.into()])
}

/// Records that a link with this token is sent to the address of the user, and deletes what is known of links
/// until `old`. An earlier link stops working.
pub fn insert_link(
    db: &mut Write<'_>,
    user: UserId,
    address: &str,
    (token, expires_on): (&str, Timestamp),
    old: Timestamp,
) -> Result<(), StoreError> {
    let token = db.secrets().digest(token);
    let sql = "UPDATE address_changes SET token_digest = ?2, expires_on = ?3 WHERE user_id = ?1";
    db.execute(sql, &[user.into(), token.into(), expires_on.into()])?;
    let delete = "DELETE FROM address_links WHERE mailed_on <= ?1";
    db.execute(delete, &[old.into()])?;
    let columns = ColumnValues::new()
        .set("address_digest", digest(db, address))
        .set("mailed_on", db.now());
    db.insert_record::<i64>("address_links", columns)?;
    Ok(())
}

fn digest(db: &Read<'_>, address: &str) -> String {
    db.secrets().digest(&address.to_lowercase())
}

/// Returns the address of a user for which the link with this token is valid.
pub fn find(db: &Read<'_>, user: UserId, token: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT address FROM address_changes WHERE user_id = ?1 AND token_digest = ?2 AND expires_on > ?3";
    let digest = db.secrets().digest(token);
    let values = [user.into(), digest.as_str().into(), db.now().into()];
    db.first(sql, &values, |row| row.next())
}

/// Makes the link of a user stop working. The address waits on.
pub fn end_link(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let sql = "UPDATE address_changes SET token_digest = NULL WHERE user_id = ?1";
    db.execute(sql, &[user.into()]).map(drop)
}

/// Deletes the address of a user that is not confirmed.
pub fn delete(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let sql = "DELETE FROM address_changes WHERE user_id = ?1";
    db.execute(sql, &[user.into()]).map(drop)
}
