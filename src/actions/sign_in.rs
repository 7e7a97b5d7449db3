//! Who is it? By API key, or by login and password (compatibility 4).

use super::{ActionError, accounts};
use crate::domain::clock::Entropy;
use crate::domain::ids::UserId;
use crate::domain::password;
use crate::domain::user::UserStatus;
use crate::store::{Read, Write, users};

/// The user of this API key, if the key is right and the user may come in.
pub fn by_key(db: &Read<'_>, key: &str) -> Result<Option<UserId>, ActionError> {
    if key.is_empty() {
        return Ok(None);
    }
    Ok(users::find_by_api_key(db, key)?.filter(|user| may_come_in(db, *user)))
}

/// What a password is compared with.
#[derive(Clone)]
pub struct Claim {
    /// Who it would be; `None` for a login that nobody has.
    pub user: Option<UserId>,
    hash: String,
}

/// Looks up what a password for this login must fit. Comparing is left to [`Claim::holds`], because it takes long on purpose.
pub fn claim(db: &Read<'_>, login: &str) -> Result<Claim, ActionError> {
    let user = db.catalogue().user_by_login(login).map(|user| user.id).filter(|user| may_come_in(db, *user));
    let hash = user.map(|user| users::password_hash(db, user)).transpose()?.unwrap_or_default();
    Ok(Claim { user, hash })
}

impl Claim {
    /// The user, if the password is right. Takes as long when there is no such user.
    pub fn holds(&self, password: &str) -> Option<UserId> {
        let hash = if self.user.is_some() && !self.hash.is_empty() { &self.hash } else { password::DUMMY_HASH };
        let right = password::verify(password, hash);
        self.user.filter(|_| right)
    }

    /// Whether the password, once found right, is to be kept more safely: see [`renew`].
    pub fn is_outdated(&self) -> bool {
        password::is_outdated(&self.hash)
    }

    /// What a password that was found right may be remembered under: it changes with the password.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

/// Replaces the hash that came from a Redmine by one of our own, for the same password, which has been found right. Somebody
/// who has changed the password in the meantime is left with theirs.
pub fn renew(db: &mut Write<'_>, claim: &Claim, password: &str, entropy: &dyn Entropy) -> Result<(), ActionError> {
    let Some(user) = claim.user.filter(|_| claim.is_outdated()) else { return Ok(()) };
    let hash = accounts::hashed(password, entropy)?;
    Ok(users::replace_hash(db, user, &claim.hash, &hash)?)
}

fn may_come_in(db: &Read<'_>, user: UserId) -> bool {
    db.catalogue().users.get(&user).is_some_and(|user| user.status == UserStatus::Active)
}
