//! The browsers in which each user has logged in, identified by the digests of tokens in their cookies.
//! Only the times of the first and the last login are stored with them.

use crate::engine::Value;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::ids::UserId;

/// Returns the number of browsers of a user, forgotten ones included.
pub fn count(db: &Read<'_>, user: UserId) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM known_devices WHERE user_id = ?1";
    db.query_i64(sql, &[user.into()])
}

/// Updates the time of use of the browser with one of these tokens. Returns `false` if none of the tokens
/// belongs to a known browser of the user that was used after `used_after`.
pub fn update_used_on(
    db: &mut Write<'_>,
    user: UserId,
    tokens: &[String],
    used_after: Timestamp,
) -> Result<bool, StoreError> {
    let now = db.now();
    for token in tokens {
        let digest = db.secrets().digest(token);
        let sql = "UPDATE known_devices SET used_on = ?3 WHERE user_id = ?1 AND token_digest = ?2 AND is_forgotten = 0 AND used_on > ?4";
        let values = [
            user.into(),
            digest.as_str().into(),
            now.into(),
            used_after.into(),
        ];
        if db.execute(sql, &values)? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Inserts a browser of a user, and deletes all browsers of the user but the `kept` last used ones.
pub fn insert(db: &mut Write<'_>, user: UserId, token: &str, kept: i64) -> Result<(), StoreError> {
    let now = db.now();
    let columns = ColumnValues::new()
        .set("user_id", user)
        .set("token_digest", db.secrets().digest(token))
        .set("created_on", now)
        .set("used_on", now);
    db.insert_record::<i64>("known_devices", columns)?;
    let sql = "DELETE FROM known_devices WHERE user_id = ?1 AND id NOT IN \
               (SELECT id FROM known_devices WHERE user_id = ?1 ORDER BY used_on DESC, id DESC LIMIT ?2)";
    db.execute(sql, &[user.into(), kept.into()]).map(drop)
}

/// Marks all browsers of a user as forgotten. They still count as former logins of the user.
pub fn forget(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let sql = "UPDATE known_devices SET is_forgotten = 1 WHERE user_id = ?1";
    db.execute(sql, &[user.into()]).map(drop)
}

/// Deletes at most `limit` browsers of any user. Returns their number.
pub fn delete(db: &mut Write<'_>, limit: i64) -> Result<usize, StoreError> {
    let sql =
        "DELETE FROM known_devices WHERE id IN (SELECT id FROM known_devices ORDER BY id LIMIT ?1)";
    db.execute(sql, &[Value::from(limit)])
}
