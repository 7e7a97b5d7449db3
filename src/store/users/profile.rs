//! The attributes of an account that users and administrators edit.
//!
//! The mail address is in `users`. Imported users also have addresses in `email_addresses`; the
//! default one of these is kept equal.

use crate::domain::ids::{PrincipalId, UserId};
use crate::store::{Read, StoreError, Value, Write, memberships};
use jiff::Timestamp;
use std::collections::HashMap;

/// The editable attributes of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The login.
    pub login: String,
    /// First name.
    pub firstname: String,
    /// Last name.
    pub lastname: String,
    /// Mail address.
    pub mail: String,
    /// Whether the mail address is shown to administrators only.
    pub hides_mail: bool,
    /// Whether the user is an administrator.
    pub admin: bool,
    /// The language, empty for the default.
    pub language: String,
    /// The time zone, empty for UTC.
    pub time_zone: String,
    /// Which events the user wants mail about, empty for the default.
    pub mail_notification: String,
}

/// Updates the attributes of a user. A login that is taken violates the constraint
/// `users_by_login`.
pub fn update(
    db: &mut Write<'_>,
    user: UserId,
    profile: &Profile,
    now: Timestamp,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE users SET login = ?2, firstname = ?3, lastname = ?4, mail = ?5, hides_mail = ?6, admin = ?7, language = ?8, \
         time_zone = ?9, mail_notification = ?10, updated_on = ?11 WHERE id = ?1",
        &[
            user.into(),
            profile.login.as_str().into(),
            profile.firstname.as_str().into(),
            profile.lastname.as_str().into(),
            profile.mail.as_str().into(),
            profile.hides_mail.into(),
            profile.admin.into(),
            profile.language.as_str().into(),
            profile.time_zone.as_str().into(),
            profile.mail_notification.as_str().into(),
            now.into(),
        ],
    )?;
    let sql = "UPDATE email_addresses SET address = ?2, updated_on = ?3 WHERE user_id = ?1 AND is_default = 1 AND address <> ?2";
    db.execute(
        sql,
        &[user.into(), profile.mail.as_str().into(), now.into()],
    )?;
    db.catalogue_changed()
}

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

/// Replaces the groups of a user.
pub fn set_groups(
    db: &mut Write<'_>,
    user: UserId,
    groups: &[PrincipalId],
) -> Result<(), StoreError> {
    db.execute("DELETE FROM group_users WHERE user_id = ?1", &[user.into()])?;
    for group in groups {
        db.execute(
            "INSERT INTO group_users (group_id, user_id) VALUES (?1, ?2)",
            &[(*group).into(), user.into()],
        )?;
    }
    memberships::synchronize(db, &memberships::Scope::Principals(vec![user.into()]))?;
    db.catalogue_changed()
}
