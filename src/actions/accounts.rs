//! Users: making them, and what they prove themselves with.

use super::Refused;
use crate::domain::clock::{Clock, Entropy, fresh_key};
use crate::domain::ids::UserId;
use crate::domain::password;
use crate::domain::user::UserStatus;
use crate::domain::validation::Complaints;
use crate::store::users::{self, NewUser};
use crate::store::{StoreError, Write};

/// What a new account is made of.
pub struct NewAccount<'a> {
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
    /// The password.
    pub password: &'a str,
    /// Whether the user is an administrator.
    pub admin: bool,
    /// The state.
    pub status: UserStatus,
}

/// Makes an account with a fresh API key; the number and the key. Refuses in the words of contract 9.
pub fn add(db: &mut Write<'_>, account: &NewAccount<'_>, clock: &dyn Clock, entropy: &dyn Entropy) -> Result<(UserId, String), Refused> {
    let mut complaints = Complaints::new();
    complaints.require_text("Login", account.login, 60);
    if db.catalogue().user_by_login(account.login).is_some() {
        complaints.add("Login", "has already been taken");
    } else if account.login.chars().any(|c| c.is_control() || c.is_whitespace()) {
        complaints.add("Login", "is invalid");
    }
    complaints.require_text("First name", account.firstname, 30);
    complaints.require_text("Last name", account.lastname, 30);
    judge_password(&mut complaints, account.password);
    complaints.into_result().map_err(Refused::Invalid)?;
    let hash = hashed(account.password, entropy)?;
    let user = NewUser {
        id: account.id,
        login: account.login,
        firstname: account.firstname,
        lastname: account.lastname,
        mail: account.mail,
        admin: account.admin,
        status: account.status,
        password_hash: &hash,
        created_on: clock.now(),
    };
    let id = users::insert(db, &user)?;
    let key = fresh_key(entropy);
    set_key(db, id, &key, entropy)?;
    Ok((id, key))
}

/// Replaces a password.
pub fn set_password(db: &mut Write<'_>, user: UserId, password: &str, clock: &dyn Clock, entropy: &dyn Entropy) -> Result<(), Refused> {
    let mut complaints = Complaints::new();
    judge_password(&mut complaints, password);
    complaints.into_result().map_err(Refused::Invalid)?;
    let hash = hashed(password, entropy)?;
    Ok(users::set_password(db, user, &hash, clock.now())?)
}

/// Replaces the API key by a fresh one, which is answered.
pub fn reset_key(db: &mut Write<'_>, user: UserId, entropy: &dyn Entropy) -> Result<String, Refused> {
    let key = fresh_key(entropy);
    set_key(db, user, &key, entropy)?;
    Ok(key)
}

/// Replaces the API key by a given one: kept as a digest to look it up by and sealed to show it again.
pub fn set_key(db: &mut Write<'_>, user: UserId, key: &str, entropy: &dyn Entropy) -> Result<(), Refused> {
    let (digest, sealed) = (db.secrets().digest(key), db.secrets().seal(key, entropy)?);
    Ok(users::set_api_key(db, user, &digest, &sealed)?)
}

fn judge_password(complaints: &mut Complaints, password: &str) {
    if password.chars().count() < password::SHORTEST {
        complaints.add("Password", &format!("is too short (minimum is {} characters)", password::SHORTEST));
    }
}

pub(super) fn hashed(password: &str, entropy: &dyn Entropy) -> Result<String, Refused> {
    password::hash(password, entropy).map_err(|error| StoreError::Secret(error.to_string()).into())
}
