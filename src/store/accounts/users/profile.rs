//! Users by their mail addresses, and their directories.

use crate::{Read, StoreError, Value};
use quarry_domain::ids::UserId;
use std::collections::HashMap;

/// Returns another user than `except` who has this mail address, ignoring case. Imported users may
/// have several.
pub fn find_by_mail(
    db: &Read<'_>,
    mail: &str,
    except: Option<UserId>,
) -> Result<Option<UserId>, StoreError> {
    let sql = "SELECT user_id FROM email_addresses WHERE lower(address) = lower(?1) AND user_id <> ?2 ORDER BY id LIMIT 1";
    // SQL's `lower` folds ASCII only, so addresses of the catalogue are compared here.
    let first =
        db.catalogue().users.values().find(|user| {
            Some(user.id) != except && user.mail.to_lowercase() == mail.to_lowercase()
        });
    match first {
        Some(user) => Ok(Some(user.id)),
        None => db.first(
            sql,
            &[mail.into(), except.unwrap_or(UserId(0)).into()],
            |row| row.next(),
        ),
    }
}

/// The directory of an imported user: id and name.
pub type AuthSource = (i64, String);

/// Returns the directories of these users; those without one are omitted. Nobody is authenticated
/// by a directory here.
pub fn auth_sources(
    db: &Read<'_>,
    users: &[i64],
) -> Result<HashMap<UserId, AuthSource>, StoreError> {
    let sql = "SELECT u.id, a.id, a.name FROM users u JOIN auth_sources a ON a.id = u.auth_source_id WHERE u.id IN ids(?1)";
    let rows = db.rows(sql, &[Value::Ids(users.to_vec())], |row| {
        Ok((row.next()?, (row.next()?, row.next()?)))
    })?;
    Ok(rows.into_iter().collect())
}
