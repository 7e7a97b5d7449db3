use super::{SCHEME, totp, verify};
use crate::actions::ActionError;
use crate::domain::clock::Entropy;
use crate::domain::guess_permit::GuessPermit;
use crate::domain::ids::UserId;
use crate::domain::two_factor::TwoFactorPolicy;
use crate::store::{Write, two_factor, users};
use jiff::Timestamp;

/// Number of recovery codes.
const RECOVERY_CODES: usize = 10;
/// Length of a recovery code in bytes; it has twice as many characters.
const RECOVERY_CODE: usize = 6;

/// Creates a key, which does nothing until [`set_up`]. Fails with `Conflict` when the user has a
/// second factor already.
pub fn prepare(db: &mut Write<'_>, user: UserId, entropy: &dyn Entropy) -> Result<(), ActionError> {
    if has_second_factor(db, user) {
        return Err(ActionError::Conflict(
            "Two-factor authentication is on already".to_owned(),
        ));
    }
    let mut key = [0u8; totp::KEY];
    entropy.fill(&mut key);
    let sealed = db.secrets().seal(&totp::encode(key), entropy)?;
    Ok(two_factor::set_key(db, user, Some(&sealed))?)
}

/// Switches the second factor on, with a first code as the proof that the app has the key. All
/// sessions of the user end. Returns the recovery codes; `None` when the code is wrong.
pub fn set_up(
    db: &mut Write<'_>,
    permit: GuessPermit,
    user: UserId,
    code: &str,
    now: Timestamp,
    entropy: &dyn Entropy,
) -> Result<Option<Vec<String>>, ActionError> {
    if has_second_factor(db, user) {
        return Err(ActionError::Conflict(
            "Two-factor authentication is on already".to_owned(),
        ));
    }
    if !verify(db, permit, user, code, now)? {
        return Ok(None);
    }
    users::set_second_factor(db, user, Some(SCHEME))?;
    renew_recovery_codes(db, user, entropy).map(Some)
}

/// Replaces the recovery codes. Returns the new ones, which are stored as digests only.
pub fn renew_recovery_codes(
    db: &mut Write<'_>,
    user: UserId,
    entropy: &dyn Entropy,
) -> Result<Vec<String>, ActionError> {
    let code = || {
        let mut bytes = [0u8; RECOVERY_CODE];
        entropy.fill(&mut bytes);
        hex::encode(bytes)
    };
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| code()).collect();
    two_factor::set_recovery_codes(db, user, &codes)?;
    Ok(codes)
}

/// Switches the second factor off at the wish of its user. All sessions of the user end.
///
/// # Errors
/// `Invalid` when the settings require one.
pub fn switch_off_own(db: &mut Write<'_>, user: UserId) -> Result<(), ActionError> {
    let policy = TwoFactorPolicy::for_user(db.catalogue(), user);
    if db
        .catalogue()
        .users
        .get(&user)
        .is_some_and(|user| policy.is_required(user))
    {
        return Err(ActionError::Invalid(vec![
            "Two-factor authentication is required here and cannot be switched off.".to_owned(),
        ]));
    }
    switch_off(db, user)
}

/// Switches the second factor of a user off. All sessions of the user end.
pub fn switch_off(db: &mut Write<'_>, user: UserId) -> Result<(), ActionError> {
    two_factor::set_key(db, user, None)?;
    two_factor::set_recovery_codes(db, user, &[])?;
    Ok(users::set_second_factor(db, user, None)?)
}

fn has_second_factor(db: &Write<'_>, user: UserId) -> bool {
    db.catalogue()
        .users
        .get(&user)
        .is_some_and(|user| user.has_second_factor())
}
