//! Sessions: logins of browsers.

use crate::ids::{SessionId, UserId};
use jiff::{SignedDuration, Timestamp};
use strum::FromRepr;

/// Time in which the steps after the password must be done.
pub const STEP_TIMEOUT: SignedDuration = SignedDuration::from_mins(10);
/// Maximum lifetime of a session when the settings state none.
pub const MAX_LIFETIME: SignedDuration = SignedDuration::from_hours(365 * 24);

/// What a session still requires before it authenticates its user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromRepr)]
#[repr(i64)]
pub enum SessionStep {
    /// Nothing.
    Complete = 0,
    /// The code of the second factor. The default, so that a session authenticates nobody unless
    /// a step says so.
    #[default]
    SecondFactor = 1,
    /// A new password.
    NewPassword = 2,
    /// A second factor, which the settings require.
    SetUpSecondFactor = 3,
}

impl SessionStep {
    /// Returns the code in the store.
    pub fn code(self) -> i64 {
        self as i64
    }
}

/// A session, without its token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    /// The user who logged in.
    pub user: UserId,
    /// What is still required.
    pub step: SessionStep,
    /// Whether the user wants to stay logged in.
    pub is_persistent: bool,
    /// The time of the login.
    pub created_on: Timestamp,
    /// The time of the last request, to within a few minutes.
    pub used_on: Timestamp,
    /// The time when the session ends however often it is used.
    pub expires_on: Timestamp,
    /// The address of the last request.
    pub address: String,
    /// The `User-Agent` of the login.
    pub user_agent: String,
}

impl Session {
    /// Whether the session has ended: it is too old, or was not used for longer than
    /// `idle_timeout`.
    pub fn is_expired(&self, now: Timestamp, idle_timeout: Option<SignedDuration>) -> bool {
        let idle = now.duration_since(self.used_on);
        now >= self.expires_on
            || (!self.is_persistent && idle_timeout.is_some_and(|timeout| idle >= timeout))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(is_persistent: bool) -> Session {
        let start: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        Session {
            id: SessionId(1),
            user: UserId(1),
            step: SessionStep::Complete,
            is_persistent,
            created_on: start,
            used_on: start,
            expires_on: start + SignedDuration::from_hours(10),
            ..Session::default()
        }
    }

    #[test]
    fn session_ends_when_idle_or_too_old() {
        assert!(!is_expired_after(&session(false), 0) && is_expired_after(&session(false), 1));
        assert!(!is_expired_after(&session(true), 9) && is_expired_after(&session(true), 10));
        let unlimited = session(false);
        assert!(!unlimited.is_expired(unlimited.created_on + SignedDuration::from_hours(9), None));
    }

    fn is_expired_after(session: &Session, hours: i64) -> bool {
        session.is_expired(
            session.created_on + SignedDuration::from_hours(hours),
            Some(SignedDuration::from_hours(1)),
        )
    }
}
