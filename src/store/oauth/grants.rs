//! Grants and their authorization codes.

use super::parse_scopes;
use crate::domain::ids::{ApplicationId, GrantId, UserId};
use crate::domain::oauth::{AuthorizationCode, Grant};
use crate::store::engine::{Row, StatementError};
use crate::store::{Read, StoreError, Write};
use jiff::Timestamp;
use std::collections::HashMap;

/// The columns of a grant, in the order of [`grant`].
pub(super) const COLUMNS: &str =
    "g.id, g.application_id, g.user_id, g.scopes, g.created_on, g.used_on";
/// Number of columns of a grant.
pub(super) const COLUMN_COUNT: usize = 6;

pub(super) fn grant(row: &Row<'_>) -> Result<Grant, StatementError> {
    let stored_scopes: String = row.get(3)?;
    Ok(Grant {
        id: row.get(0)?,
        application: row.get(1)?,
        user: row.get(2)?,
        scopes: parse_scopes(&stored_scopes),
        created_on: row.get(4)?,
        used_on: row.get(5)?,
    })
}

/// Returns the code, even if it was used or has expired.
pub fn find_by_code(db: &Read<'_>, code: &str) -> Result<Option<AuthorizationCode>, StoreError> {
    let digest = db.secrets().digest(code);
    let sql = format!(
        "SELECT {COLUMNS}, g.code_expires_on, g.code_is_used, g.redirect_uri, g.code_challenge \
         FROM oauth_grants AS g WHERE g.code_digest = ?1"
    );
    db.first(&sql, &[digest.as_str().into()], |row| {
        Ok(AuthorizationCode {
            grant: grant(row)?,
            expires_on: row.get(COLUMN_COUNT)?,
            is_used: row.get(COLUMN_COUNT + 1)?,
            redirect_uri: row.get(COLUMN_COUNT + 2)?,
            challenge: row.get(COLUMN_COUNT + 3)?,
        })
    })
}

/// Returns the grants of a user whose code was exchanged, the last used first.
pub fn list(db: &Read<'_>, user: UserId) -> Result<Vec<Grant>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM oauth_grants AS g WHERE g.user_id = ?1 AND g.code_is_used = 1 ORDER BY g.used_on DESC, g.id DESC"
    );
    db.rows(&sql, &[user.into()], grant)
}

/// Returns the number of users who have granted the application access.
pub fn count_users(db: &Read<'_>, application: ApplicationId) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(DISTINCT user_id) FROM oauth_grants WHERE application_id = ?1 AND code_is_used = 1";
    Ok(db
        .first(sql, &[application.into()], |row| row.next())?
        .unwrap_or(0))
}

/// Returns the numbers of users who have granted access, by application; applications without any
/// are omitted.
pub fn count_users_by_application(
    db: &Read<'_>,
) -> Result<HashMap<ApplicationId, i64>, StoreError> {
    let sql = "SELECT application_id, COUNT(DISTINCT user_id) FROM oauth_grants WHERE code_is_used = 1 GROUP BY application_id";
    Ok(db
        .rows(sql, &[], |row| Ok((row.next()?, row.next()?)))?
        .into_iter()
        .collect())
}

/// Inserts a grant with its code; the `id` of the grant is ignored.
pub fn insert(
    db: &mut Write<'_>,
    code: &AuthorizationCode,
    text: &str,
) -> Result<GrantId, StoreError> {
    let digest = db.secrets().digest(text);
    let grant = &code.grant;
    db.insert(
        "INSERT INTO oauth_grants (application_id, user_id, scopes, created_on, used_on, code_digest, code_expires_on, code_is_used, \
         redirect_uri, code_challenge) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING id",
        &[
            grant.application.into(),
            grant.user.into(),
            grant.scopes.to_string().as_str().into(),
            grant.created_on.into(),
            grant.used_on.into(),
            digest.as_str().into(),
            code.expires_on.into(),
            code.is_used.into(),
            code.redirect_uri.as_deref().into(),
            code.challenge.as_deref().into(),
        ],
    )
}

/// Marks the code of a grant as used.
pub fn set_code_used(db: &mut Write<'_>, id: GrantId) -> Result<(), StoreError> {
    db.execute(
        "UPDATE oauth_grants SET code_is_used = 1 WHERE id = ?1",
        &[id.into()],
    )?;
    Ok(())
}

/// Records a request with a token of the grant.
pub fn set_used(db: &mut Write<'_>, id: GrantId, now: Timestamp) -> Result<(), StoreError> {
    db.execute(
        "UPDATE oauth_grants SET used_on = ?2 WHERE id = ?1",
        &[id.into(), now.into()],
    )?;
    Ok(())
}

/// Deletes a grant with its tokens.
pub fn delete(db: &mut Write<'_>, id: GrantId) -> Result<(), StoreError> {
    db.execute("DELETE FROM oauth_grants WHERE id = ?1", &[id.into()])?;
    Ok(())
}

/// Deletes all grants that the user has given the application. Returns how many there were.
pub fn delete_of_user(
    db: &mut Write<'_>,
    user: UserId,
    application: ApplicationId,
) -> Result<usize, StoreError> {
    db.execute(
        "DELETE FROM oauth_grants WHERE user_id = ?1 AND application_id = ?2",
        &[user.into(), application.into()],
    )
}

/// Deletes the grants that the user has given the application except the last `count`.
pub fn keep_last(
    db: &mut Write<'_>,
    user: UserId,
    application: ApplicationId,
    count: i64,
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM oauth_grants WHERE user_id = ?1 AND application_id = ?2 AND id NOT IN \
         (SELECT id FROM oauth_grants WHERE user_id = ?1 AND application_id = ?2 ORDER BY id DESC LIMIT ?3)",
        &[user.into(), application.into(), count.into()],
    )?;
    Ok(())
}

/// Deletes expired tokens, and the grants that have neither a token nor a valid code.
pub fn delete_expired(db: &mut Write<'_>, now: Timestamp) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM oauth_tokens WHERE refresh_expires_on <= ?1",
        &[now.into()],
    )?;
    db.execute("DELETE FROM oauth_grants WHERE code_expires_on <= ?1 AND id NOT IN (SELECT grant_id FROM oauth_tokens)", &[now.into()])?;
    Ok(())
}
