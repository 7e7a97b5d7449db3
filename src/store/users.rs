//! Users, with their credentials, and the builtin principals.

mod deletion;
mod matching;
mod preferences;
mod profile;

pub use deletion::delete;
pub use matching::matching;
pub use preferences::{find as preferences, update as update_preferences};
pub use profile::{
    AuthSource, Profile, auth_sources, find_by_mail, set_groups, update as update_profile,
};

use super::engine::{Row, StatementError, Value};
use super::{Read, StoreError, Write, sessions};
use crate::domain::ids::{PrincipalId, UserId};
use crate::domain::user::{BuiltinPrincipal, User, UserStatus};
use crate::domain::user_format::UserFormat;
use jiff::Timestamp;
use std::collections::HashMap;

const COLUMNS: &str = "id, login, firstname, lastname, mail, hides_mail, admin, status, created_on, updated_on, passwd_changed_on, twofa_scheme, \
                       must_change_passwd, language, time_zone, mail_notification";

fn user(row: &Row<'_>, format: UserFormat) -> Result<User, StatementError> {
    let login: String = row.get(1)?;
    let firstname: String = row.get(2)?;
    let lastname: String = row.get(3)?;
    Ok(User {
        id: row.get(0)?,
        name: format.name(&firstname, &lastname, &login),
        login,
        firstname,
        lastname,
        mail: row.get(4)?,
        hides_mail: row.get(5)?,
        admin: row.get(6)?,
        // Users with an unknown status may not log in.
        status: UserStatus::from_code(row.get(7)?).unwrap_or(UserStatus::Locked),
        created_on: row.get(8)?,
        updated_on: row.get(9)?,
        passwd_changed_on: row.get(10)?,
        twofa_scheme: row.get(11)?,
        must_change_password: row.get(12)?,
        language: row.get(13)?,
        time_zone: row.get(14)?,
        mail_notification: row.get(15)?,
    })
}

/// Returns all users by id, with names in this format.
pub fn list(db: &Read<'_>, format: UserFormat) -> Result<Vec<User>, StoreError> {
    db.rows(
        &format!("SELECT {COLUMNS} FROM users WHERE type = 'User' ORDER BY id"),
        &[],
        |row| user(row, format),
    )
}

/// Returns the built-in principals: the anonymous user, and the groups of anonymous users and
/// non-members.
pub fn builtin(db: &Read<'_>) -> Result<HashMap<PrincipalId, BuiltinPrincipal>, StoreError> {
    let types = "'AnonymousUser', 'GroupAnonymous', 'GroupNonMember'";
    let sql = format!("SELECT id, type FROM users WHERE type IN ({types})");
    let rows = db.rows(&sql, &[], |row| {
        Ok((row.next()?, BuiltinPrincipal::parse(&row.next::<String>()?)))
    })?;
    Ok(rows
        .into_iter()
        .filter_map(|(id, builtin)| Some((id, builtin?)))
        .collect())
}

/// Returns the anonymous user, if this is the id.
pub fn find_anonymous(db: &Read<'_>, id: UserId) -> Result<Option<User>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM users WHERE id = ?1 AND type = 'AnonymousUser'");
    let format = db.catalogue().user_format();
    let found = db.first(&sql, &[id.into()], |row| user(row, format))?;
    Ok(found.map(|user| User {
        status: UserStatus::Anonymous,
        ..user
    }))
}

/// A user to insert.
pub struct NewUser<'a> {
    /// A fixed id; `None` for the next free one.
    pub id: Option<UserId>,
    /// The login.
    pub login: &'a str,
    /// First name.
    pub firstname: &'a str,
    /// Last name.
    pub lastname: &'a str,
    /// Mail address.
    pub mail: &'a str,
    /// Whether the user is an administrator.
    pub admin: bool,
    /// The status.
    pub status: UserStatus,
    /// The hash of the password; empty for none.
    pub password_hash: &'a str,
    /// When the account is created.
    pub created_on: Timestamp,
}

/// Inserts a user. A login that is taken violates the constraint `users_by_login`.
pub fn insert(db: &mut Write<'_>, user: &NewUser<'_>) -> Result<UserId, StoreError> {
    db.catalogue_changed()?;
    let changed = (!user.password_hash.is_empty()).then_some(user.created_on);
    db.insert(
        "INSERT INTO users (id, type, login, firstname, lastname, mail, admin, status, password_hash, created_on, updated_on, passwd_changed_on) \
         VALUES (?1, 'User', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10) RETURNING id",
        &[
            user.id.into(),
            user.login.into(),
            user.firstname.into(),
            user.lastname.into(),
            user.mail.into(),
            user.admin.into(),
            user.status.code().into(),
            user.password_hash.into(),
            user.created_on.into(),
            changed.into(),
        ],
    )
}

/// Inserts the anonymous user. An imported installation has it from the start; see [`builtin`].
pub fn insert_anonymous(db: &mut Write<'_>, now: Timestamp) -> Result<UserId, StoreError> {
    db.catalogue_changed()?;
    // The status is that of Redmine's anonymous user, which can never log in.
    let sql = "INSERT INTO users (type, lastname, status, created_on, updated_on) VALUES ('AnonymousUser', 'Anonymous', 0, ?1, ?1) RETURNING id";
    db.insert(sql, &[now.into()])
}

/// Inserts a group with these users.
pub fn insert_group(
    db: &mut Write<'_>,
    id: Option<PrincipalId>,
    name: &str,
    users: &[UserId],
    created_on: Timestamp,
) -> Result<PrincipalId, StoreError> {
    let group: PrincipalId = db.insert(
        "INSERT INTO users (id, type, lastname, created_on, updated_on) VALUES (?1, 'Group', ?2, ?3, ?3) RETURNING id",
        &[id.into(), name.into(), created_on.into()],
    )?;
    for user in users {
        db.execute(
            "INSERT INTO group_users (group_id, user_id) VALUES (?1, ?2)",
            &[group.into(), (*user).into()],
        )?;
    }
    db.catalogue_changed()?;
    Ok(group)
}

/// Sets the status of a user. The sessions of a user who is not active end.
pub fn set_status(db: &mut Write<'_>, user: UserId, status: UserStatus) -> Result<(), StoreError> {
    if status != UserStatus::Active {
        sessions::delete_of_user(db, user)?;
    }
    db.execute(
        "UPDATE users SET status = ?2 WHERE id = ?1",
        &[user.into(), status.code().into()],
    )?;
    db.catalogue_changed()
}

/// Sets the password hash, and the time of the change. All sessions of the user end.
pub fn set_password(
    db: &mut Write<'_>,
    user: UserId,
    hash: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    sessions::delete_of_user(db, user)?;
    db.execute(
        "UPDATE users SET password_hash = ?2, passwd_changed_on = ?3, updated_on = ?3 WHERE id = ?1",
        &[user.into(), hash.into(), now.into()],
    )?;
    db.catalogue_changed()
}

/// Replaces the hash of a password by another hash of the same password. The time of the last
/// change stays.
pub fn replace_hash(
    db: &mut Write<'_>,
    user: UserId,
    old: &str,
    new: &str,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE users SET password_hash = ?3 WHERE id = ?1 AND password_hash = ?2",
        &[user.into(), old.into(), new.into()],
    )?;
    Ok(())
}

/// Sets the scheme of the second factor; `None` for none. All sessions of the user end.
pub fn set_second_factor(
    db: &mut Write<'_>,
    user: UserId,
    scheme: Option<&str>,
) -> Result<(), StoreError> {
    sessions::delete_of_user(db, user)?;
    db.execute(
        "UPDATE users SET twofa_scheme = ?2 WHERE id = ?1",
        &[user.into(), scheme.into()],
    )?;
    db.catalogue_changed()
}

/// Sets whether the user must change the password at the next login.
pub fn set_must_change_password(
    db: &mut Write<'_>,
    user: UserId,
    must_change: bool,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE users SET must_change_passwd = ?2 WHERE id = ?1",
        &[user.into(), must_change.into()],
    )?;
    db.catalogue_changed()
}

/// Returns the time of the last login with a password.
pub fn last_login(db: &Read<'_>, user: UserId) -> Result<Option<Timestamp>, StoreError> {
    Ok(db
        .first(
            "SELECT last_login_on FROM users WHERE id = ?1",
            &[user.into()],
            |row| row.next(),
        )?
        .flatten())
}

/// Returns the times of the last logins with a password.
pub fn last_logins(db: &Read<'_>) -> Result<HashMap<UserId, Timestamp>, StoreError> {
    let sql =
        "SELECT id, last_login_on FROM users WHERE type = 'User' AND last_login_on IS NOT NULL";
    Ok(db
        .rows(sql, &[], |row| Ok((row.next()?, row.next()?)))?
        .into_iter()
        .collect())
}

/// Sets the time of the last login with a password.
pub fn set_last_login(db: &mut Write<'_>, user: UserId, now: Timestamp) -> Result<(), StoreError> {
    db.execute(
        "UPDATE users SET last_login_on = ?2 WHERE id = ?1",
        &[user.into(), now.into()],
    )?;
    Ok(())
}

/// Returns the password hash; empty when there is none.
pub fn password_hash(db: &Read<'_>, user: UserId) -> Result<String, StoreError> {
    let hash = db.first(
        "SELECT password_hash FROM users WHERE id = ?1 AND type = 'User'",
        &[user.into()],
        |row| row.next(),
    )?;
    Ok(hash.unwrap_or_default())
}

/// Sets the API key.
pub fn set_api_key(
    db: &mut Write<'_>,
    user: UserId,
    digest: &str,
    sealed: &str,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE users SET api_key_digest = ?2, api_key_sealed = ?3 WHERE id = ?1",
        &[user.into(), digest.into(), sealed.into()],
    )?;
    Ok(())
}

/// Returns the user with this API key.
pub fn find_by_api_key(db: &Read<'_>, key: &str) -> Result<Option<UserId>, StoreError> {
    let digest = Value::from(db.secrets().digest(key));
    db.first(
        "SELECT id FROM users WHERE api_key_digest = ?1",
        &[digest],
        |row| row.next(),
    )
}

/// Whether a user has an API key.
pub fn has_api_key(db: &Read<'_>, user: UserId) -> Result<bool, StoreError> {
    Ok(db.query_i64(
        "SELECT COUNT(*) FROM users WHERE id = ?1 AND api_key_digest IS NOT NULL",
        &[user.into()],
    )? > 0)
}

/// Returns the API key of a user, to show it to that user.
pub fn api_key(db: &Read<'_>, user: UserId) -> Result<Option<String>, StoreError> {
    let sealed: Option<Option<String>> = db.first(
        "SELECT api_key_sealed FROM users WHERE id = ?1",
        &[user.into()],
        |row| row.next(),
    )?;
    Ok(sealed
        .flatten()
        .and_then(|sealed| db.secrets().unseal(&sealed)))
}
