//! Users, groups, and what they prove themselves with.

use super::engine::{Row, StatementError, Value};
use super::{Read, StoreError, Write, json};
use crate::domain::ids::{PrincipalId, UserId};
use crate::domain::user::{BuiltinPrincipal, Group, User, UserStatus};
use jiff::Timestamp;
use std::collections::HashMap;

const COLUMNS: &str = "id, login, firstname, lastname, mail, hides_mail, admin, status, created_on, updated_on, passwd_changed_on, twofa_scheme, \
                       must_change_passwd";

fn user(row: &Row<'_>) -> Result<User, StatementError> {
    let (firstname, lastname): (String, String) = (row.read(2)?, row.read(3)?);
    Ok(User {
        id: row.read(0)?,
        login: row.read(1)?,
        name: format!("{firstname} {lastname}").trim().to_owned(),
        firstname,
        lastname,
        mail: row.read(4)?,
        hides_mail: row.read(5)?,
        admin: row.read(6)?,
        // What is not understood may not log in.
        status: UserStatus::from_code(row.read(7)?).unwrap_or(UserStatus::Locked),
        created_on: row.read(8)?,
        updated_on: row.read(9)?,
        passwd_changed_on: row.read(10)?,
        twofa_scheme: row.read(11)?,
        must_change_password: row.read(12)?,
    })
}

/// All users, by number.
pub fn list(db: &Read<'_>) -> Result<Vec<User>, StoreError> {
    db.rows(&format!("SELECT {COLUMNS} FROM users WHERE type = 'User' ORDER BY id"), &[], user)
}

/// All groups, by number.
pub fn groups(db: &Read<'_>) -> Result<Vec<Group>, StoreError> {
    let mut users: HashMap<PrincipalId, Vec<UserId>> = HashMap::new();
    for (group, user) in
        db.rows("SELECT group_id, user_id FROM group_users ORDER BY user_id", &[], |row| Ok((row.read(0)?, row.read(1)?)))?
    {
        users.entry(group).or_default().push(user);
    }
    db.rows("SELECT id, lastname FROM users WHERE type = 'Group' ORDER BY id", &[], |row| {
        let id = row.read(0)?;
        Ok(Group { id, name: row.read(1)?, users: users.remove(&id).unwrap_or_default() })
    })
}

/// Whether the user wants to watch the issues on which the user writes; as Redmine has it, unless the preferences say otherwise.
pub fn watches_contributions(db: &Read<'_>, user: UserId) -> Result<bool, StoreError> {
    let kept: Option<Option<String>> = db.first("SELECT preferences_json FROM users WHERE id = ?1", &[user.into()], |row| row.read(0))?;
    let preferences = json::read(kept.flatten().as_deref());
    Ok(preferences.get("auto_watch_on").is_none_or(|on| on.to_string().contains("issue_contributed_to")))
}

/// The anonymous user and the groups to which people belong by themselves.
pub fn builtin(db: &Read<'_>) -> Result<HashMap<PrincipalId, BuiltinPrincipal>, StoreError> {
    let types = "'AnonymousUser', 'GroupAnonymous', 'GroupNonMember'";
    let sql = format!("SELECT id, type FROM users WHERE type IN ({types})");
    let rows = db.rows(&sql, &[], |row| Ok((row.read(0)?, BuiltinPrincipal::parse(&row.read::<String>(1)?))))?;
    Ok(rows.into_iter().filter_map(|(id, found)| Some((id, found?))).collect())
}

/// A user to be added.
pub struct NewUser<'a> {
    /// The number, when it is to be this one.
    pub id: Option<UserId>,
    /// The name to log in with.
    pub login: &'a str,
    /// First name.
    pub firstname: &'a str,
    /// Last name.
    pub lastname: &'a str,
    /// Mail address.
    pub mail: &'a str,
    /// Whether the user is an administrator.
    pub admin: bool,
    /// The state.
    pub status: UserStatus,
    /// The hash of the password; empty for none.
    pub password_hash: &'a str,
    /// When the account is made.
    pub created_on: Timestamp,
}

/// Adds a user. A login that is taken breaks the constraint `users_by_login`.
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

/// Adds a group with these users.
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
        db.execute("INSERT INTO group_users (group_id, user_id) VALUES (?1, ?2)", &[group.into(), (*user).into()])?;
    }
    db.catalogue_changed()?;
    Ok(group)
}

/// Changes the names and the mail address of a user.
pub fn change_names(
    db: &mut Write<'_>,
    user: UserId,
    firstname: &str,
    lastname: &str,
    mail: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE users SET firstname = ?2, lastname = ?3, mail = ?4, updated_on = ?5 WHERE id = ?1",
        &[user.into(), firstname.into(), lastname.into(), mail.into(), now.into()],
    )?;
    let sql = "UPDATE email_addresses SET address = ?2, updated_on = ?3 WHERE user_id = ?1 AND is_default = 1";
    db.execute(sql, &[user.into(), mail.into(), now.into()])?;
    db.catalogue_changed()
}

/// Changes the state of a user.
pub fn set_status(db: &mut Write<'_>, user: UserId, status: UserStatus) -> Result<(), StoreError> {
    db.execute("UPDATE users SET status = ?2 WHERE id = ?1", &[user.into(), status.code().into()])?;
    db.catalogue_changed()
}

/// Replaces the password.
pub fn set_password(db: &mut Write<'_>, user: UserId, hash: &str, now: Timestamp) -> Result<(), StoreError> {
    db.execute(
        "UPDATE users SET password_hash = ?2, passwd_changed_on = ?3, updated_on = ?3 WHERE id = ?1",
        &[user.into(), hash.into(), now.into()],
    )?;
    db.catalogue_changed()
}

/// Replaces one hash of a password by another of the same password: when it was changed stays as it was.
pub fn replace_hash(db: &mut Write<'_>, user: UserId, old: &str, new: &str) -> Result<(), StoreError> {
    db.execute("UPDATE users SET password_hash = ?3 WHERE id = ?1 AND password_hash = ?2", &[user.into(), old.into(), new.into()])?;
    Ok(())
}

/// Says which second factor the user needs; `None` for none.
pub fn set_second_factor(db: &mut Write<'_>, user: UserId, scheme: Option<&str>) -> Result<(), StoreError> {
    db.execute("UPDATE users SET twofa_scheme = ?2 WHERE id = ?1", &[user.into(), scheme.into()])?;
    db.catalogue_changed()
}

/// Says whether the user must change the password before it counts again.
pub fn demand_new_password(db: &mut Write<'_>, user: UserId, demanded: bool) -> Result<(), StoreError> {
    db.execute("UPDATE users SET must_change_passwd = ?2 WHERE id = ?1", &[user.into(), demanded.into()])?;
    db.catalogue_changed()
}

/// When the user last logged in with a password.
pub fn last_login(db: &Read<'_>, user: UserId) -> Result<Option<Timestamp>, StoreError> {
    Ok(db.first("SELECT last_login_on FROM users WHERE id = ?1", &[user.into()], |row| row.read(0))?.flatten())
}

/// Says that the user has logged in with a password.
pub fn set_last_login(db: &mut Write<'_>, user: UserId, now: Timestamp) -> Result<(), StoreError> {
    db.execute("UPDATE users SET last_login_on = ?2 WHERE id = ?1", &[user.into(), now.into()])?;
    Ok(())
}

/// The hash of a user's password; empty when there is none.
pub fn password_hash(db: &Read<'_>, user: UserId) -> Result<String, StoreError> {
    let hash = db.first("SELECT password_hash FROM users WHERE id = ?1 AND type = 'User'", &[user.into()], |row| row.read(0))?;
    Ok(hash.unwrap_or_default())
}

/// The users whose password hash begins so.
pub fn with_hash_like(db: &Read<'_>, prefix: &str) -> Result<Vec<UserId>, StoreError> {
    db.column("SELECT id FROM users WHERE substr(password_hash, 1, length(?1)) = ?1 ORDER BY id", &[prefix.into()])
}

/// Replaces the API key.
pub fn set_api_key(db: &mut Write<'_>, user: UserId, digest: &str, sealed: &str) -> Result<(), StoreError> {
    db.execute("UPDATE users SET api_key_digest = ?2, api_key_sealed = ?3 WHERE id = ?1", &[user.into(), digest.into(), sealed.into()])?;
    Ok(())
}

/// The user with this API key.
pub fn find_by_api_key(db: &Read<'_>, key: &str) -> Result<Option<UserId>, StoreError> {
    let digest = Value::from(db.secrets().digest(key));
    db.first("SELECT id FROM users WHERE api_key_digest = ?1", &[digest], |row| row.read(0))
}

/// What a user prefers, as JSON; nothing when nothing was ever chosen.
pub fn preferences(db: &Read<'_>, user: UserId) -> Result<Option<String>, StoreError> {
    let kept: Option<Option<String>> = db.first("SELECT preferences_json FROM users WHERE id = ?1", &[user.into()], |row| row.read(0))?;
    Ok(kept.flatten())
}

/// The API key of a user, to be shown to that user.
pub fn api_key(db: &Read<'_>, user: UserId) -> Result<Option<String>, StoreError> {
    let sealed: Option<Option<String>> = db.first("SELECT api_key_sealed FROM users WHERE id = ?1", &[user.into()], |row| row.read(0))?;
    Ok(sealed.flatten().and_then(|sealed| db.secrets().unseal(&sealed)))
}
