//! Access tokens and refresh tokens, in pairs.

use super::grants;
use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::accounts::oauth::{Scopes, TokenPair};
use quarry_domain::ids::GrantId;

fn from_row(row: &Row<'_>) -> Result<TokenPair, StatementError> {
    Ok(TokenPair {
        id: row.next()?,
        grant: grants::from_row(row)?,
        scopes: Scopes::parse_known(&row.next::<String>()?),
        created_on: row.next()?,
        expires_on: row.next()?,
        refresh_expires_on: row.next()?,
        is_refreshed: row.next()?,
    })
}

fn find_pair(db: &Read<'_>, column: &str, token: &str) -> Result<Option<TokenPair>, StoreError> {
    let digest = db.secrets().digest(token);
    let sql = format!(
        "SELECT t.id, {}, t.scopes, t.created_on, t.expires_on, t.refresh_expires_on, t.is_refreshed \
         FROM oauth_tokens AS t JOIN oauth_grants AS g ON g.id = t.grant_id WHERE t.{column} = ?1",
        grants::COLUMNS
    );
    db.first(&sql, &[digest.as_str().into()], from_row)
}

/// Returns the tokens with this access token, even if it has expired.
pub fn find_by_access_token(db: &Read<'_>, token: &str) -> Result<Option<TokenPair>, StoreError> {
    find_pair(db, "access_digest", token)
}

/// Returns the tokens with this refresh token, even if it was used or has expired.
pub fn find_by_refresh_token(db: &Read<'_>, token: &str) -> Result<Option<TokenPair>, StoreError> {
    find_pair(db, "refresh_digest", token)
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
    let columns = ColumnValues::new()
        .set("grant_id", tokens.grant.id)
        .set("access_digest", access_digest)
        .set("refresh_digest", refresh_digest)
        .set("scopes", tokens.scopes.to_string())
        .set("created_on", tokens.created_on)
        .set("expires_on", tokens.expires_on)
        .set("refresh_expires_on", tokens.refresh_expires_on)
        .set("is_refreshed", tokens.is_refreshed);
    db.insert_row("oauth_tokens", columns)
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
