//! Authenticates users by API key, or by login and password (compatibility 4).

use super::account;
use crate::ActionError;
use crate::prelude::*;
use quarry_domain::accounts::guess_permit::GuessPermit;
use quarry_domain::accounts::password;
use quarry_domain::accounts::user::UserStatus;
use quarry_store::accounts::users;

/// Returns the active user with this API key.
pub fn find_by_key(db: &Read<'_>, key: &str) -> Result<Option<UserId>, ActionError> {
    if key.is_empty() {
        return Ok(None);
    }
    Ok(users::find_by_api_key(db, key)?.filter(|user| is_active(db, *user)))
}

/// A stored password to verify against.
#[derive(Clone)]
pub struct StoredPassword {
    /// The user; `None` for an unknown login.
    pub user: Option<UserId>,
    hash: String,
}

/// Returns the stored password of a login. [`StoredPassword::verify`] is separate because it is
/// slow by design.
pub fn stored_password(db: &Read<'_>, login: &str) -> Result<StoredPassword, ActionError> {
    let user = db
        .catalogue()
        .user_by_login(login)
        .map(|user| user.id)
        .filter(|user| is_active(db, *user));
    let hash = user
        .map(|user| users::password_hash(db, user))
        .transpose()?
        .unwrap_or_default();
    Ok(StoredPassword { user, hash })
}

impl StoredPassword {
    /// Returns the user if the password is right. Takes the same time if there is no such user.
    pub fn verify(&self, permit: GuessPermit, password: &str) -> Option<UserId> {
        let hash = if self.user.is_some() && !self.hash.is_empty() {
            &self.hash
        } else {
            password::DUMMY_HASH
        };
        let is_right = password::verify(permit, password, hash);
        self.user.filter(|_| is_right)
    }

    /// Whether the hash should be replaced after a successful login, see [`upgrade_hash`].
    pub fn is_outdated(&self) -> bool {
        password::is_outdated(&self.hash)
    }

    /// Returns the hash, which changes with the password and so can be part of a cache key.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

/// Replaces a hash from Redmine by an argon2 hash of the same, verified password. Does nothing if
/// the password has been changed meanwhile.
pub fn upgrade_hash(
    db: &mut Write<'_>,
    stored: &StoredPassword,
    password: &str,
) -> Result<(), ActionError> {
    let Some(user) = stored.user.filter(|_| stored.is_outdated()) else {
        return Ok(());
    };
    let hash = account::hash_password(db, password)?;
    Ok(users::replace_hash(db, user, &stored.hash, &hash)?)
}

fn is_active(db: &Read<'_>, user: UserId) -> bool {
    db.catalogue()
        .users
        .get(&user)
        .is_some_and(|user| user.status == UserStatus::Active)
}
