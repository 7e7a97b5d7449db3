use crate::actions::ActionError;
use crate::domain::clock::{Clock, Entropy};
use crate::domain::ids::{SessionId, UserId};
use crate::domain::session::{MAX_LIFETIME, STEP_TIMEOUT, Session, SessionStep};
use crate::domain::setting::Setting;
use crate::store::{Read, Write, sessions};
use jiff::{SignedDuration, Timestamp};

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
pub fn start(
    db: &mut Write<'_>,
    new: &NewSession,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<(Session, String), ActionError> {
    let now = clock.now();
    let days = db.catalogue().integer_setting(Setting::Autologin);
    let is_persistent = new.is_persistent && days > 0;
    let mut session = Session {
        id: SessionId(0),
        user: new.user,
        step: new.step,
        is_persistent,
        created_on: now,
        used_on: now,
        expires_on: expiry(db, new.step, is_persistent, now),
        address: new.address.clone(),
        user_agent: new
            .user_agent
            .chars()
            .filter(|c| !c.is_control())
            .take(MAX_AGENT_CHARS)
            .collect(),
    };
    let token = fresh_token(entropy);
    sessions::delete_expired(db, now)?;
    session.id = sessions::insert(db, &token, &session)?;
    sessions::keep_last(db, new.user, MAX_SESSIONS)?;
    Ok((session, token))
}

fn expiry(db: &Read<'_>, step: SessionStep, is_persistent: bool, now: Timestamp) -> Timestamp {
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
    now.saturating_add(lifetime).unwrap_or(Timestamp::MAX)
}

/// Returns a random token of 64 hexadecimal digits.
fn fresh_token(entropy: &dyn Entropy) -> String {
    let mut bytes = [0u8; 32];
    entropy.fill(&mut bytes);
    hex::encode(bytes)
}
