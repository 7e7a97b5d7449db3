use super::totp;
use crate::actions::ActionError;
use crate::domain::guess_permit::GuessPermit;
use crate::domain::ids::UserId;
use crate::store::{Write, two_factor};
use jiff::Timestamp;

/// Maximum number of characters of a code.
const MAX_CODE: usize = 40;

/// Whether this is a valid code of the app, or a recovery code, of the user. It is not valid a
/// second time.
pub fn verify(
    db: &mut Write<'_>,
    _permit: GuessPermit,
    user: UserId,
    code: &str,
    now: Timestamp,
) -> Result<bool, ActionError> {
    let code: String = code
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(MAX_CODE)
        .collect::<String>()
        .to_ascii_lowercase();
    let is_of_app = code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit());
    if !is_of_app {
        return Ok(!code.is_empty() && two_factor::use_recovery_code(db, user, &code)?);
    }
    let Some(key) = two_factor::key(db, user)? else {
        return Ok(false);
    };
    match totp::check(&key, &code, u64::try_from(now.as_second()).unwrap_or(0)) {
        Some(seconds) => Ok(two_factor::use_code(db, user, seconds)?),
        None => Ok(false),
    }
}
