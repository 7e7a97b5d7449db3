//! Access tokens and refresh tokens, in pairs.

use super::{grants, parse_scopes};
use crate::domain::ids::GrantId;
use crate::domain::oauth::TokenPair;
use crate::store::engine::{Row, StatementError};
use crate::store::{Read, StoreError, Write};

/// Index of the first column of a token, after those of its grant.
const FIRST: usize = grants::COLUMN_COUNT;

fn tokens(row: &Row<'_>) -> Result<TokenPair, StatementError> {
    let stored_scopes: String = row.get(FIRST + 1)?;
    Ok(TokenPair {
        grant: grants::grant(row)?,
        id: row.get(FIRST)?,
        scopes: parse_scopes(&stored_scopes),
        created_on: row.get(FIRST + 2)?,
        expires_on: row.get(FIRST + 3)?,
        refresh_expires_on: row.get(FIRST + 4)?,
        is_refreshed: row.get(FIRST + 5)?,
    })
}

fn find(db: &Read<'_>, column: &str, token: &str) -> Result<Option<TokenPair>, StoreError> {
    let digest = db.secrets().digest(token);
    let sql = format!(
        "SELECT {}, t.id, t.scopes, t.created_on, t.expires_on, t.refresh_expires_on, t.is_refreshed \
         FROM oauth_tokens AS t JOIN oauth_grants AS g ON g.id = t.grant_id WHERE t.{column} = ?1",
        grants::COLUMNS
    );
    db.first(&sql, &[digest.as_str().into()], tokens)
}

/// Returns the tokens with this access token, even if it has expired.
pub fn find_by_access_token(db: &Read<'_>, token: &str) -> Result<Option<TokenPair>, StoreError> {
    find(db, "access_digest", token)
}

/// Returns the tokens with this refresh token, even if it was used or has expired.
pub fn find_by_refresh_token(db: &Read<'_>, token: &str) -> Result<Option<TokenPair>, StoreError> {
    find(db, "refresh_digest", token)
}

/// Inserts tokens of a grant; their `id` is ignored.
pub fn insert(
    db: &mut Write<'_>,
    tokens: &TokenPair,
    access_token: &str,
    refresh_token: &str,
) -> Result<(), StoreError> {
    let access_digest = db.secrets().digest(access_token);
    let refresh_digest = db.secrets().digest(refresh_token);
    db.execute(
        "INSERT INTO oauth_tokens (grant_id, access_digest, refresh_digest, scopes, created_on, expires_on, refresh_expires_on, is_refreshed) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        &[
            tokens.grant.id.into(),
            access_digest.as_str().into(),
            refresh_digest.as_str().into(),
            tokens.scopes.to_string().as_str().into(),
            tokens.created_on.into(),
            tokens.expires_on.into(),
            tokens.refresh_expires_on.into(),
            tokens.is_refreshed.into(),
        ],
    )?;
    Ok(())
}

/// Marks a refresh token as used.
pub fn set_refreshed(db: &mut Write<'_>, id: i64) -> Result<(), StoreError> {
    db.execute(
        "UPDATE oauth_tokens SET is_refreshed = 1 WHERE id = ?1",
        &[id.into()],
    )?;
    Ok(())
}

/// Deletes the tokens of a grant except the last `count`.
pub fn keep_last(db: &mut Write<'_>, grant: GrantId, count: i64) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM oauth_tokens WHERE grant_id = ?1 AND id NOT IN \
         (SELECT id FROM oauth_tokens WHERE grant_id = ?1 ORDER BY id DESC LIMIT ?2)",
        &[grant.into(), count.into()],
    )?;
    Ok(())
}

/// Makes an access token expire. Its refresh token stays valid.
pub fn expire(db: &mut Write<'_>, id: i64) -> Result<(), StoreError> {
    db.execute(
        "UPDATE oauth_tokens SET expires_on = created_on WHERE id = ?1",
        &[id.into()],
    )?;
    Ok(())
}
