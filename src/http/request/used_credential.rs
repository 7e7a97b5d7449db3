//! What a request was authenticated with, for a second check once its body has arrived: meanwhile
//! it may have been taken away.

use crate::error::Error;
use jiff::Timestamp;
use quarry_actions::{oauth, sign_in};
use quarry_domain::ids::{SessionId, UserId};
use quarry_store::Read;
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
