use crate::actions::ActionError;
use crate::domain::ids::UserId;
use crate::domain::session::{Session, SessionStep};
use crate::domain::setting::Setting;
use crate::domain::two_factor::TwoFactorPolicy;
use crate::domain::user::UserStatus;
use crate::store::{Read, sessions};
use jiff::{SignedDuration, Timestamp};

/// Returns the session with this token, unless it has expired or its user is not active. It may be
/// incomplete. A complete one does not count while the settings require a second factor that the
/// user does not have: the next login sets it up.
pub fn find(db: &Read<'_>, token: &str, now: Timestamp) -> Result<Option<Session>, ActionError> {
    let Some(session) = sessions::find(db, token)? else {
        return Ok(None);
    };
    let user = db
        .catalogue()
        .users
        .get(&session.user)
        .filter(|user| user.status == UserStatus::Active);
    let policy = TwoFactorPolicy::for_user(db.catalogue(), session.user);
    let lacks_step = |user| session.step == SessionStep::Complete && policy.requires_set_up(user);
    let is_valid = user.is_some_and(|user| !lacks_step(user));
    Ok(is_valid
        .then_some(session)
        .filter(|session| !session.is_expired(now, idle_timeout(db))))
}

/// Returns the complete sessions of the user that have not expired, the last used first.
pub fn list(db: &Read<'_>, user: UserId, now: Timestamp) -> Result<Vec<Session>, ActionError> {
    let mut sessions = sessions::list(db, user)?;
    sessions.retain(|session| {
        session.step == SessionStep::Complete && !session.is_expired(now, idle_timeout(db))
    });
    Ok(sessions)
}

/// Returns the time without a request after which a session ends.
pub fn idle_timeout(db: &Read<'_>) -> Option<SignedDuration> {
    let minutes = db.catalogue().integer_setting(Setting::SessionTimeout);
    (minutes > 0).then(|| SignedDuration::from_mins(minutes))
}
