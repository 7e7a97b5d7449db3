//! The second factor of users: the key of the codes, and recovery codes.

use super::users;
use crate::{Read, StoreError, Write};
use quarry_domain::ids::UserId;

/// Returns the key, in base32; `None` when there is none, or when it was encrypted with another
/// secret.
pub fn key(db: &Read<'_>, user: UserId) -> Result<Option<String>, StoreError> {
    let sql = "SELECT twofa_totp_key_sealed FROM users WHERE id = ?1";
    let sealed: Option<Option<String>> = db.first(sql, &[user.into()], |row| row.next())?;
    Ok(sealed
        .flatten()
        .and_then(|sealed| db.secrets().unseal(&sealed)))
}

/// Sets the sealed key; no code of it has been used.
pub fn set_key(db: &mut Write<'_>, user: UserId, sealed: Option<&str>) -> Result<(), StoreError> {
    let sql =
        "UPDATE users SET twofa_totp_key_sealed = ?2, twofa_totp_last_used_at = NULL WHERE id = ?1";
    db.execute(sql, &[user.into(), sealed.into()])?;
    Ok(())
}

/// Records that the code of this time was used, in seconds since 1970. Returns `false` when it or a
/// later one was used before.
pub fn use_code(db: &mut Write<'_>, user: UserId, seconds: i64) -> Result<bool, StoreError> {
    let sql = "UPDATE users SET twofa_totp_last_used_at = ?2 \
               WHERE id = ?1 AND (twofa_totp_last_used_at IS NULL OR twofa_totp_last_used_at < ?2)";
    Ok(db.execute(sql, &[user.into(), seconds.into()])? > 0)
}

/// Replaces the recovery codes.
pub fn set_recovery_codes(
    db: &mut Write<'_>,
    user: UserId,
    codes: &[String],
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM recovery_codes WHERE user_id = ?1",
        &[user.into()],
    )?;
    for code in codes {
        let digest = db.secrets().digest(code);
        let sql = "INSERT INTO recovery_codes (user_id, code_digest) VALUES (?1, ?2)";
        db.execute(sql, &[user.into(), digest.as_str().into()])?;
    }
    if !codes.is_empty() {
        users::audit(db, user, "recovery codes");
    }
    Ok(())
}

/// Deletes a recovery code. Returns whether there was one.
pub fn use_recovery_code(db: &mut Write<'_>, user: UserId, code: &str) -> Result<bool, StoreError> {
    let digest = db.secrets().digest(code);
    let sql = "DELETE FROM recovery_codes WHERE user_id = ?1 AND code_digest = ?2";
    Ok(db.execute(sql, &[user.into(), digest.as_str().into()])? > 0)
}

/// Returns the number of recovery codes that are left.
pub fn recovery_code_count(db: &Read<'_>, user: UserId) -> Result<i64, StoreError> {
    db.query_i64(
        "SELECT COUNT(*) FROM recovery_codes WHERE user_id = ?1",
        &[user.into()],
    )
}
