//! New accounts that wait for their confirmation by the link in a mail. A token is looked up by its
//! digest; the store never has the token itself.

use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::ids::UserId;

/// Inserts the registration of a user with this address.
pub fn insert(
    db: &mut Write<'_>,
    user: UserId,
    address: &str,
    expires_on: Timestamp,
) -> Result<(), StoreError> {
    let now = db.now();
    let sql = "INSERT INTO registrations (user_id, address, created_on, expires_on) VALUES (?1, ?2, ?3, ?4)";
    let values = [user.into(), address.into(), now.into(), expires_on.into()];
    db.execute(sql, &values).map(drop)
}

/// Returns the number of registrations that have not expired.
pub fn count(db: &Read<'_>) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM registrations WHERE expires_on > ?1";
    db.query_i64(sql, &[db.now().into()])
}

/// Returns the address of the registration of a user that has not expired.
pub fn address(db: &Read<'_>, user: UserId) -> Result<Option<String>, StoreError> {
    let sql = "SELECT address FROM registrations WHERE user_id = ?1 AND expires_on > ?2";
    db.first(sql, &[user.into(), db.now().into()], |row| row.next())
}

/// Returns the number of registrations of other users with this address, ignoring case, for which a mail
/// was sent after `since`.
pub fn count_other_mails(
    db: &Read<'_>,
    user: UserId,
    address: &str,
    since: Timestamp,
) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM registrations \
               WHERE lower(address) = lower(?1) AND user_id <> ?2 AND mailed_on > ?3";
    db.query_i64(sql, &[address.into(), user.into(), since.into()])
}

/// Records that a mail is sent, with a link if there is a token. An earlier link stops working.
pub fn set_mailed(db: &mut Write<'_>, user: UserId, token: Option<&str>) -> Result<(), StoreError> {
    let digest = token.map(|token| db.secrets().digest(token));
    let now = db.now();
    let sql = "UPDATE registrations SET token_digest = ?2, mailed_on = ?3 WHERE user_id = ?1";
    db.execute(sql, &[user.into(), digest.into(), now.into()])
        .map(drop)
}

/// Returns the user and the address of a registration with a valid link.
pub fn find(db: &Read<'_>, token: &str) -> Result<Option<(UserId, String)>, StoreError> {
    let sql =
        "SELECT user_id, address FROM registrations WHERE token_digest = ?1 AND expires_on > ?2";
    let digest = db.secrets().digest(token);
    db.first(sql, &[digest.as_str().into(), db.now().into()], |row| {
        Ok((row.next()?, row.next()?))
    })
}

/// Deletes the registration of a user.
pub fn delete(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let sql = "DELETE FROM registrations WHERE user_id = ?1";
    db.execute(sql, &[user.into()]).map(drop)
}

/// Returns the users whose registrations have expired, at most this many.
pub fn list_expired(db: &Read<'_>, limit: i64) -> Result<Vec<UserId>, StoreError> {
    let sql = "SELECT user_id FROM registrations WHERE expires_on <= ?1 ORDER BY expires_on, user_id LIMIT ?2";
    db.column(sql, &[db.now().into(), limit.into()])
}

/// Returns the number of registrations of users with this status, expired or not.
pub fn count_by_status(db: &Read<'_>, status: i64) -> Result<i64, StoreError> {
    let sql =
        "SELECT COUNT(*) FROM registrations r JOIN users u ON u.id = r.user_id WHERE u.status = ?1";
    db.query_i64(sql, &[status.into()])
}
