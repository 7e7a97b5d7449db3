//! The second factor: codes of an app (TOTP, RFC 6238) and recovery codes.
//!
//! Invariant: each code is valid once. Keys are stored encrypted, recovery codes as digests.

use crate::accounts::account_warnings::{self, AccountEvent};
use crate::prelude::*;
use quarry_domain::accounts::guess_permit::GuessPermit;
use quarry_domain::accounts::two_factor::TwoFactorPolicy;
use quarry_domain::clock::Entropy;
use quarry_store::accounts::{two_factor, users};
use totp_rs::{Builder, Secret, Totp};

/// The scheme of users who have a second factor.
pub const SCHEME: &str = "totp";

/// Number of recovery codes.
const RECOVERY_CODES: usize = 10;

/// Length of a recovery code in bytes; it has twice as many characters.
const RECOVERY_CODE: usize = 6;

/// Creates a key, which does nothing until [`set_up`]. Fails with `Conflict` when the user has a
/// second factor already.
pub fn prepare(db: &mut Write<'_>, user: UserId) -> Result<(), ActionError> {
    if has_second_factor(db, user) {
        return Err(ActionError::Conflict(
            "Two-factor authentication is on already".to_owned(),
        ));
    }
    let mut key = [0u8; KEY];
    db.entropy().fill(&mut key);
    let sealed = db.secrets().seal(&encode(key), db.entropy())?;
    Ok(two_factor::set_key(db, user, Some(&sealed))?)
}

/// Switches the second factor on, with a first code as the proof that the app has the key. All
/// sessions of the user end. Returns the recovery codes; `None` when the code is wrong.
pub fn set_up(
    db: &mut Write<'_>,
    permit: GuessPermit,
    user: UserId,
    code: &str,
) -> Result<Option<Vec<String>>, ActionError> {
    if has_second_factor(db, user) {
        return Err(ActionError::Conflict(
            "Two-factor authentication is on already".to_owned(),
        ));
    }
    if !verify(db, permit, user, code)? {
        return Ok(None);
    }
    users::set_second_factor(db, user, Some(SCHEME))?;
    account_warnings::insert(db, user, AccountEvent::SecondFactorOn)?;
    renew_recovery_codes(db, user).map(Some)
}

/// Replaces the recovery codes. Returns the new ones, which are stored as digests only.
pub fn renew_recovery_codes(db: &mut Write<'_>, user: UserId) -> Result<Vec<String>, ActionError> {
    let codes: Vec<String> = (0..RECOVERY_CODES)
        .map(|_| recovery_code(db.entropy()))
        .collect();
    two_factor::set_recovery_codes(db, user, &codes)?;
    Ok(codes)
}

fn recovery_code(entropy: &dyn Entropy) -> String {
    let mut bytes = [0u8; RECOVERY_CODE];
    entropy.fill(&mut bytes);
    hex::encode(bytes)
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
        return Err(ActionError::invalid(
            "Two-factor authentication is required here and cannot be switched off.",
        ));
    }
    switch_off(db, user)
}

/// Switches the second factor of a user off. All sessions of the user end.
pub fn switch_off(db: &mut Write<'_>, user: UserId) -> Result<(), ActionError> {
    two_factor::set_key(db, user, None)?;
    two_factor::set_recovery_codes(db, user, &[])?;
    account_warnings::insert(db, user, AccountEvent::SecondFactorOff)?;
    Ok(users::set_second_factor(db, user, None)?)
}

fn has_second_factor(db: &Write<'_>, user: UserId) -> bool {
    db.catalogue()
        .users
        .get(&user)
        .is_some_and(|user| user.has_second_factor())
}

/// Length of a new key in bytes, as RFC 4226 recommends.
pub const KEY: usize = 20;

/// Time for which a code is valid, in seconds.
pub const STEP: u64 = 30;

/// Returns the base32 form of a new key.
pub fn encode(key: [u8; KEY]) -> String {
    Secret::from(key).to_base32()
}

/// Returns the time of the code in seconds since 1970 when it is valid now, one step earlier, or
/// one later.
pub fn check(key: &str, code: &str, now: u64) -> Option<i64> {
    let counter = totp(key, None)?.check(code, now)?;
    i64::try_from(counter * STEP).ok()
}

/// Returns the `otpauth:` address of a key, which apps read from a QR code.
pub fn address(key: &str, issuer: &str, login: &str) -> Option<String> {
    totp(key, Some((issuer, login)))?.to_url().ok()
}

fn totp(key: &str, label: Option<(&str, &str)>) -> Option<Totp> {
    let secret = Secret::try_from_base32(key).ok()?;
    let is_empty = AsRef::<[u8]>::as_ref(&secret).is_empty();
    let builder = Builder::new().with_secret(secret);
    let builder = match label {
        Some((issuer, login)) => builder
            .with_issuer(Some(without_colons(issuer)))
            .with_account_name(without_colons(login)),
        None => builder,
    };
    // Keys that were imported may be shorter than RFC 4226 recommends.
    (!is_empty).then(|| builder.build_noncompliant())
}

/// Returns the text as a part of an `otpauth` URI, where a colon divides.
fn without_colons(text: &str) -> String {
    text.replace(':', " ").trim().to_owned()
}

/// Maximum number of characters of a code.
const MAX_CODE: usize = 40;

/// Whether this is a valid code of the app, or a recovery code, of the user. It is not valid a
/// second time.
pub fn verify(
    db: &mut Write<'_>,
    _permit: GuessPermit,
    user: UserId,
    code: &str,
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
    match check(
        &key,
        &code,
        u64::try_from(db.now().as_second()).unwrap_or(0),
    ) {
        Some(seconds) => Ok(two_factor::use_code(db, user, seconds)?),
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of the test vectors in RFC 6238, "12345678901234567890".
    const RFC_KEY: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    #[test]
    fn codes_are_those_of_rfc_6238() {
        for (now, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
        ] {
            assert_eq!(
                check(RFC_KEY, code, now),
                i64::try_from(now / 30 * 30).ok(),
                "{now}"
            );
        }
        assert_eq!(check(RFC_KEY, "287082", 59 + 30), Some(30));
        assert_eq!(check(RFC_KEY, "287082", 59 + 90), None);
        assert_eq!(
            (
                check(RFC_KEY, "", 59),
                check("", "287082", 59),
                check("!", "287082", 59)
            ),
            (None, None, None)
        );
        assert_eq!(encode(*b"12345678901234567890"), RFC_KEY);
    }

    #[test]
    fn address_names_application_and_login() {
        let address = address(RFC_KEY, "Quarry: test", "alice").unwrap();
        assert!(
            address.starts_with("otpauth://totp/")
                && address.contains(RFC_KEY)
                && address.contains("alice"),
            "{address}"
        );
    }
}
