//! Sessions of browsers: log in, log out, and what ends a session.
//!
//! Invariant: a session authenticates its user only when it is complete, has not expired, and the
//! user is active. Changes of the password, of the second factor and of the status delete all
//! sessions of the user in their transaction, see `store::accounts::users`. So does an import of a
//! new password. Times are not compared, because the clock may have been wrong.

use crate::accounts::account_links;
use crate::prelude::*;
use jiff::{SignedDuration, Timestamp};
use quarry_domain::accounts::session::{MAX_LIFETIME, STEP_TIMEOUT, Session, SessionStep};
use quarry_domain::accounts::two_factor::TwoFactorPolicy;
use quarry_domain::accounts::user::{User, UserStatus};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::SessionId;
use quarry_store::accounts::sessions;

/// Returns the session with this token, unless it has expired or its user is not active. It may be
/// incomplete. A complete one does not count while the settings require a second factor that the
/// user does not have: the next login sets it up.
pub fn find(db: &Read<'_>, token: &str) -> Result<Option<Session>, ActionError> {
    let Some(session) = sessions::find(db, token)? else {
        return Ok(None);
    };
    let user = db
        .catalogue()
        .users
        .get(&session.user)
        .filter(|user| user.status == UserStatus::Active);
    let policy = TwoFactorPolicy::for_user(db.catalogue(), session.user);
    let is_valid = user
        .is_some_and(|user| session.step != SessionStep::Complete || !policy.requires_set_up(user));
    Ok(is_valid
        .then_some(session)
        .filter(|session| !session.is_expired(db.now(), idle_timeout(db))))
}

/// Returns the complete sessions of the user that have not expired, the last used first.
pub fn list(db: &Read<'_>, user: UserId) -> Result<Vec<Session>, ActionError> {
    let mut sessions = sessions::list(db, user)?;
    sessions.retain(|session| {
        session.step == SessionStep::Complete && !session.is_expired(db.now(), idle_timeout(db))
    });
    Ok(sessions)
}

/// Returns the time without a request after which a session ends.
pub fn idle_timeout(db: &Read<'_>) -> Option<SignedDuration> {
    let minutes = db.catalogue().integer_setting(Setting::SessionTimeout);
    (minutes > 0).then(|| SignedDuration::from_mins(minutes))
}

/// Ends a session.
pub fn end(db: &mut Write<'_>, session: &Session) -> Result<(), ActionError> {
    sessions::delete(db, session.user, session.id)?;
    Ok(())
}

/// Ends another session of the user. Fails with `NotFound` if the user has none with this id.
pub fn end_one(db: &mut Write<'_>, user: UserId, id: SessionId) -> Result<(), ActionError> {
    if sessions::delete(db, user, id)? {
        Ok(())
    } else {
        Err(ActionError::NotFound)
    }
}

/// Ends all sessions of the user except `kept`. Returns how many it ended.
pub fn end_others(
    db: &mut Write<'_>,
    user: UserId,
    kept: Option<SessionId>,
) -> Result<usize, ActionError> {
    let others = sessions::list(db, user)?
        .into_iter()
        .filter(|session| Some(session.id) != kept);
    let mut ended = 0;
    for session in others {
        ended += usize::from(sessions::delete(db, user, session.id)?);
    }
    Ok(ended)
}

/// Maximum number of sessions of one user; the one that was not used for the longest time ends
/// first.
const MAX_SESSIONS: i64 = 100;

/// Maximum number of characters of a stored `User-Agent`.
const MAX_AGENT_CHARS: usize = 255;

/// A login.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// The user who logs in.
    pub user: UserId,
    /// What is still required.
    pub step: SessionStep,
    /// Whether the user wants to stay logged in. Ignored if the settings do not allow it.
    pub is_persistent: bool,
    /// The address of the client.
    pub address: String,
    /// The `User-Agent` of the client.
    pub user_agent: String,
}

/// Starts a session. Returns the session and its token, which is not stored.
pub fn start(db: &mut Write<'_>, new: &NewSession) -> Result<(Session, String), ActionError> {
    let now = db.now();
    let days = db.catalogue().integer_setting(Setting::Autologin);
    let is_persistent = new.is_persistent && days > 0;
    let mut session = Session {
        user: new.user,
        step: new.step,
        is_persistent,
        created_on: now,
        used_on: now,
        expires_on: expiry(db, new.step, is_persistent),
        address: new.address.clone(),
        user_agent: new
            .user_agent
            .chars()
            .filter(|c| !c.is_control())
            .take(MAX_AGENT_CHARS)
            .collect(),
        ..Session::default()
    };
    let token = account_links::fresh_token(db.entropy());
    sessions::delete_expired(db)?;
    session.id = sessions::insert(db, &token, &session)?;
    sessions::keep_last(db, new.user, MAX_SESSIONS)?;
    Ok((session, token))
}

fn expiry(db: &Read<'_>, step: SessionStep, is_persistent: bool) -> Timestamp {
    let lifetime = match (
        step,
        db.catalogue().integer_setting(Setting::SessionLifetime),
    ) {
        (
            SessionStep::SecondFactor | SessionStep::NewPassword | SessionStep::SetUpSecondFactor,
            _,
        ) => STEP_TIMEOUT,
        (SessionStep::Complete, _) if is_persistent => {
            SignedDuration::from_hours(24 * db.catalogue().integer_setting(Setting::Autologin))
        }
        (SessionStep::Complete, 0) => MAX_LIFETIME,
        (SessionStep::Complete, minutes) => SignedDuration::from_mins(minutes),
    };
    db.now().saturating_add(lifetime).unwrap_or(Timestamp::MAX)
}

/// Returns what a user must do next, after the password and, if `has_code`, the code of the second
/// factor.
pub fn next_step(policy: TwoFactorPolicy, user: &User, has_code: bool) -> SessionStep {
    if policy.asks_for_code(user) && !has_code {
        SessionStep::SecondFactor
    } else if user.must_change_password {
        SessionStep::NewPassword
    } else if policy.requires_set_up(user) {
        SessionStep::SetUpSecondFactor
    } else {
        SessionStep::Complete
    }
}
