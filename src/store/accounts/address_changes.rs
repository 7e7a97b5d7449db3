//! Mail addresses that users have given themselves, until they are confirmed: one for each user. The token of
//! the link is looked up by its digest; the store never has the token itself.

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

/// Returns the number of other users with this address, ignoring case, to whom a link was sent after `since`.
pub fn count_other_mails(
    db: &Read<'_>,
    user: UserId,
    address: &str,
    since: Timestamp,
) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM address_changes \
               WHERE lower(address) = lower(?1) AND user_id <> ?2 AND mailed_on > ?3";
    db.query_i64(sql, &[address.into(), user.into(), since.into()])
}

/// Records that a link with this token is sent. An earlier link stops working.
pub fn set_token(
    db: &mut Write<'_>,
    user: UserId,
    token: &str,
    expires_on: Timestamp,
) -> Result<(), StoreError> {
    let digest = db.secrets().digest(token);
    let now = db.now();
    let sql = "UPDATE address_changes SET token_digest = ?2, expires_on = ?3, mailed_on = ?4 WHERE user_id = ?1";
    let values = [user.into(), digest.into(), expires_on.into(), now.into()];
    db.execute(sql, &values).map(drop)
}

/// Returns the address of a user for which the link with this token is valid.
pub fn find(db: &Read<'_>, user: UserId, token: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT address FROM address_changes WHERE user_id = ?1 AND token_digest = ?2 AND expires_on > ?3";
    let digest = db.secrets().digest(token);
    let values = [user.into(), digest.as_str().into(), db.now().into()];
    db.first(sql, &values, |row| row.next())
}

/// Deletes the address of a user that is not confirmed.
pub fn delete(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let sql = "DELETE FROM address_changes WHERE user_id = ?1";
    db.execute(sql, &[user.into()]).map(drop)
}
