//! Users, with their credentials, and the builtin principals.

mod deletion;
mod matching;
mod my_page;
mod preferences;
mod profile;

pub use deletion::delete;
pub use matching::matching;
pub use my_page::{find as my_page, update as update_my_page};
pub use preferences::{all as all_preferences, find as preferences, update as update_preferences};
pub use profile::{AuthSource, auth_sources, find_by_mail};

use super::{devices, sessions};
use crate::engine::{Row, StatementError, Value};
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write};
use jiff::Timestamp;
use quarry_domain::accounts::user::{BuiltinPrincipal, User, UserStatus};
use quarry_domain::accounts::user_format::UserFormat;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::ids::{PrincipalId, UserId};
use std::collections::HashMap;

const COLUMNS: &str = "id, login, firstname, lastname, mail, hides_mail, admin, status, created_on, updated_on, passwd_changed_on, twofa_scheme, \
                       must_change_passwd, language, time_zone, mail_notification, \
                       (SELECT MAX(digest) FROM user_pictures WHERE user_id = users.id)";

fn from_row(row: &Row<'_>, format: UserFormat) -> Result<User, StatementError> {
    let user = User {
        id: row.next()?,
        login: row.next()?,
        firstname: row.next()?,
        lastname: row.next()?,
        mail: row.next()?,
        hides_mail: row.next()?,
        admin: row.next()?,
        // Users with an unknown status may not log in.
        status: UserStatus::from_code(row.next()?).unwrap_or(UserStatus::Locked),
        created_on: row.next()?,
        updated_on: row.next()?,
        passwd_changed_on: row.next()?,
        twofa_scheme: row.next()?,
        must_change_password: row.next()?,
        language: row.next()?,
        time_zone: row.next()?,
        mail_notification: row.next()?,
        picture: row.next()?,
        name: String::new(),
    };
    Ok(User {
        name: format.name(&user.firstname, &user.lastname, &user.login),
        ..user
    })
}

/// Returns all users by id, with names in this format.
pub fn list(db: &Read<'_>, format: UserFormat) -> Result<Vec<User>, StoreError> {
    db.rows(
        &format!("SELECT {COLUMNS} FROM users WHERE type = 'User' ORDER BY id"),
        &[],
        |row| from_row(row, format),
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
    let found = db.first(&sql, &[id.into()], |row| from_row(row, format))?;
    Ok(found.map(|user| User {
        status: UserStatus::Anonymous,
        ..user
    }))
}

/// The columns that an update writes.
fn columns(user: &User) -> ColumnValues {
    ColumnValues::new()
        .set("login", &user.login)
        .set("firstname", &user.firstname)
        .set("lastname", &user.lastname)
        .set("mail", &user.mail)
        .set("hides_mail", user.hides_mail)
        .set("admin", user.admin)
        .set("updated_on", user.updated_on)
        .set("language", &user.language)
        .set("time_zone", &user.time_zone)
        .set("mail_notification", &user.mail_notification)
}

/// Inserts a user with the hash of the password, empty for none; with the next free id if the id is
/// 0. Returns the id. A login that is taken violates the constraint `users_by_login`.
pub fn insert(db: &mut Write<'_>, user: &User, password_hash: &str) -> Result<UserId, StoreError> {
    db.catalogue_changed()?;
    let columns = columns(user)
        .set_id(user.id)
        .set("type", "User")
        .set("status", user.status.code())
        .set("created_on", user.created_on)
        .set("passwd_changed_on", user.passwd_changed_on)
        .set("twofa_scheme", user.twofa_scheme.as_deref())
        .set("must_change_passwd", user.must_change_password)
        .set("password_hash", password_hash);
    db.insert_record("users", columns)
}

/// Updates the attributes of an account that users and administrators edit. A login that is taken
/// violates the constraint `users_by_login`.
///
/// The mail address is in `users`. Imported users also have addresses in `email_addresses`; the
/// default one of these is kept equal.
pub fn update(db: &mut Write<'_>, user: &User) -> Result<(), StoreError> {
    db.update_record("users", user.id, columns(user))?;
    db.execute(
        "UPDATE email_addresses SET address = ?2, updated_on = ?3 WHERE user_id = ?1 AND is_default = 1 AND address <> ?2",
        &[user.id.into(), (&user.mail).into(), user.updated_on.into()],
    )?;
    db.catalogue_changed()
}

/// Inserts the anonymous user. An imported installation has it from the start; see [`builtin`].
pub fn insert_anonymous(db: &mut Write<'_>) -> Result<UserId, StoreError> {
    db.catalogue_changed()?;
    // The status is that of Redmine's anonymous user, which can never log in.
    let sql = "INSERT INTO users (type, lastname, status, created_on, updated_on) VALUES ('AnonymousUser', 'Anonymous', 0, ?1, ?1) RETURNING id";
    db.insert(sql, &[db.now().into()])
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

/// Sets the password hash, and the time of the change. All sessions of the user end, and no browser
/// is known any more.
pub fn set_password(
    db: &mut Write<'_>,
    user: UserId,
    hash: &str,
    changed_on: Timestamp,
) -> Result<(), StoreError> {
    sessions::delete_of_user(db, user)?;
    devices::forget(db, user)?;
    db.execute(
        "UPDATE users SET password_hash = ?2, passwd_changed_on = ?3, updated_on = ?3 WHERE id = ?1",
        &[user.into(), hash.into(), changed_on.into()],
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
pub fn set_last_login(db: &mut Write<'_>, user: UserId) -> Result<(), StoreError> {
    db.execute(
        "UPDATE users SET last_login_on = ?2 WHERE id = ?1",
        &[user.into(), db.now().into()],
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

/// Records a change of a user that the catalogue does not have.
pub(super) fn audit(db: &mut Write<'_>, user: UserId, change: &'static str) {
    let login = db
        .catalogue()
        .users
        .get(&user)
        .map(|user| user.login.clone());
    let event = AuditEvent::new(RecordType::User, user, change).unlogged();
    db.audit(match login {
        Some(login) => event.with_name(&login),
        None => event,
    });
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
    audit(db, user, "API key");
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
