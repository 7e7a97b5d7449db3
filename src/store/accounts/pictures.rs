//! The pictures of users. The catalogue has their digests ([`users::list`](super::users::list)); only
//! the request for a picture reads its content.

use crate::{Read, StoreError, Value, Write};
use quarry_domain::ids::UserId;

/// Returns the content of the picture of a user with this digest.
pub fn find(db: &Read<'_>, user: UserId, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT content FROM user_pictures WHERE user_id = ?1 AND digest = ?2";
    db.first(sql, &[user.into(), digest.into()], |row| row.next())
}

/// Sets the picture of a user, also in place of another one.
pub fn set(
    db: &mut Write<'_>,
    user: UserId,
    digest: &str,
    content: &[u8],
) -> Result<(), StoreError> {
    delete(db, user)?;
    let sql =
        "INSERT INTO user_pictures (user_id, digest, updated_on, content) VALUES (?1, ?2, ?3, ?4)";
    let now = db.now();
    let content = Value::Bytes(content.to_vec());
    db.execute(sql, &[user.into(), digest.into(), now.into(), content])?;
    db.catalogue_changed()
}

/// Deletes the picture of a user.
pub fn delete(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    let sql = "DELETE FROM user_pictures WHERE user_id = ?1";
    db.execute(sql, &[user.into()])?;
    db.catalogue_changed()
}
