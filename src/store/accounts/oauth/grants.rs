//! Grants and their authorization codes.

use crate::engine::{Row, StatementError};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use quarry_domain::accounts::oauth::{AuthorizationCode, Grant, Scopes};
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::ids::{ApplicationId, GrantId, UserId};
use std::collections::HashMap;

/// The columns of a grant, in the order of [`from_row`].
pub(super) const COLUMNS: &str =
    "g.id, g.application_id, g.user_id, g.scopes, g.created_on, g.used_on";

pub(super) fn from_row(row: &Row<'_>) -> Result<Grant, StatementError> {
    Ok(Grant {
        id: row.next()?,
        application: row.next()?,
        user: row.next()?,
        scopes: Scopes::parse_known(&row.next::<String>()?),
        created_on: row.next()?,
        used_on: row.next()?,
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
            grant: from_row(row)?,
            expires_on: row.next()?,
            is_used: row.next()?,
            redirect_uri: row.next()?,
            challenge: row.next()?,
        })
    })
}

/// Returns the grants of a user whose code was exchanged, the last used first.
pub fn list(db: &Read<'_>, user: UserId) -> Result<Vec<Grant>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM oauth_grants AS g WHERE g.user_id = ?1 AND g.code_is_used = 1 ORDER BY g.used_on DESC, g.id DESC"
    );
    db.rows(&sql, &[user.into()], from_row)
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
    let columns = ColumnValues::new()
        .set("application_id", grant.application)
        .set("user_id", grant.user)
        .set("scopes", grant.scopes.to_string())
        .set("created_on", grant.created_on)
        .set("used_on", grant.used_on)
        .set("code_digest", digest)
        .set("code_expires_on", code.expires_on)
        .set("code_is_used", code.is_used)
        .set("redirect_uri", code.redirect_uri.as_deref())
        .set("code_challenge", code.challenge.as_deref());
    let event = AuditEvent::new(RecordType::OauthGrant, grant.application, "created")
        .of_principal(grant.user.into())
        .with_details(grant.scopes.to_string());
    db.audit(event.unlogged());
    db.insert_record("oauth_grants", columns)
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
pub fn set_used(db: &mut Write<'_>, id: GrantId) -> Result<(), StoreError> {
    db.execute(
        "UPDATE oauth_grants SET used_on = ?2 WHERE id = ?1",
        &[id.into(), db.now().into()],
    )?;
    Ok(())
}

/// Deletes a grant with its tokens. The `reason` is for the audit log.
pub fn delete(db: &mut Write<'_>, grant: &Grant, reason: &'static str) -> Result<(), StoreError> {
    db.execute("DELETE FROM oauth_grants WHERE id = ?1", &[grant.id.into()])?;
    let event = AuditEvent::new(RecordType::OauthGrant, grant.application, "revoked")
        .of_principal(grant.user.into())
        .with_details(reason);
    db.audit(event.unlogged());
    Ok(())
}

/// Deletes all grants that the user has given the application. Returns how many there were.
pub fn delete_of_user(
    db: &mut Write<'_>,
    user: UserId,
    application: ApplicationId,
) -> Result<usize, StoreError> {
    let deleted = db.execute(
        "DELETE FROM oauth_grants WHERE user_id = ?1 AND application_id = ?2",
        &[user.into(), application.into()],
    )?;
    if deleted > 0 {
        let event = AuditEvent::new(RecordType::OauthGrant, application, "revoked");
        db.audit(event.of_principal(user.into()).unlogged());
    }
    Ok(deleted)
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
pub fn delete_expired(db: &mut Write<'_>) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM oauth_tokens WHERE refresh_expires_on <= ?1",
        &[db.now().into()],
    )?;
    db.execute("DELETE FROM oauth_grants WHERE code_expires_on <= ?1 AND id NOT IN (SELECT grant_id FROM oauth_tokens)", &[db.now().into()])?;
    Ok(())
}
