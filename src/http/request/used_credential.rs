//! What a request was authenticated with, for a second check once its body has arrived: meanwhile
//! it may have been taken away.

use crate::error::Error;
use jiff::Timestamp;
use quarry_actions::accounts::{oauth, sign_in};
use quarry_domain::administration::audit::{Actor, Origin};
use quarry_domain::ids::{SessionId, UserId};
use quarry_store::Read;
use quarry_store::accounts::oauth::applications;
use quarry_store::accounts::sessions;

const TAKEN_AWAY: &str =
    "These credentials have ended while the request was sent, so nothing was changed; log in again";

/// The credential of a request.
#[derive(Clone, Debug)]
pub enum UsedCredential {
    /// None, or that of an OAuth client, which the handler checks.
    None,
    /// The session of a cookie, even if it is incomplete.
    Session(UserId, SessionId),
    /// An API key; with HTTP Basic it is one of two texts.
    ApiKey(UserId, Vec<String>),
    /// An access token.
    AccessToken(String),
    /// A password that was last changed at this time.
    Password(UserId, Option<Timestamp>),
}

impl UsedCredential {
    /// Returns the actor of writes with the credential as this user, for the audit log.
    pub fn actor(
        &self,
        db: &Read<'_>,
        user: Option<UserId>,
        address: String,
    ) -> Result<Actor, Error> {
        let (origin, owner) = match self {
            UsedCredential::None => (Origin::Anonymous, None),
            UsedCredential::Session(owner, _) => (Origin::Session, Some(*owner)),
            UsedCredential::ApiKey(owner, _) => (Origin::ApiKey, Some(*owner)),
            UsedCredential::Password(owner, _) => (Origin::Password, Some(*owner)),
            UsedCredential::AccessToken(_) => (Origin::AccessToken, None),
        };
        let mut actor = Actor::at(address, user, origin);
        actor.switched_by = owner.filter(|owner| Some(*owner) != user && user.is_some());
        if let UsedCredential::AccessToken(token) = self
            && let Some(token) = oauth::authenticate(db, token)?
        {
            let application = applications::find_by_client_id(db, &token.client_id)?;
            actor.application =
                application.map(|found| format!("{} ({})", found.name, found.client_id));
            actor.switched_by = Some(token.user).filter(|owner| Some(*owner) != user);
        }
        Ok(actor)
    }

    /// Fails with 401 when the credential does not count any more.
    pub fn check(&self, db: &Read<'_>) -> Result<(), Error> {
        let is_valid = match self {
            UsedCredential::None => true,
            UsedCredential::Session(user, session) => sessions::exists(db, *user, *session)?,
            UsedCredential::ApiKey(user, texts) => {
                let mut is_key = false;
                for text in texts {
                    is_key |= sign_in::find_by_key(db, text)? == Some(*user);
                }
                is_key
            }
            UsedCredential::AccessToken(token) => oauth::authenticate(db, token)?.is_some(),
            UsedCredential::Password(user, changed_on) => db
                .catalogue()
                .users
                .get(user)
                .is_some_and(|user| user.passwd_changed_on == *changed_on),
        };
        if is_valid {
            Ok(())
        } else {
            Err(Error::Unauthenticated(TAKEN_AWAY))
        }
    }
}
