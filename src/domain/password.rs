//! Passwords: kept as argon2 hashes, never as they are.

use super::clock::Entropy;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use sha1::{Digest, Sha1};
use subtle::ConstantTimeEq;

/// The shortest password that is accepted (compatibility 3.6).
pub const MIN_LENGTH: usize = 8;

/// A password could not be hashed.
#[derive(Debug, thiserror::Error)]
#[error("password cannot be hashed: {0}")]
pub struct HashError(String);

/// Argon2id with 19 MiB, two passes, one lane: the smallest setting that OWASP's password storage sheet recommends.
fn hasher() -> Result<Argon2<'static>, HashError> {
    let params = Params::new(19 * 1024, 2, 1, None).map_err(|error| HashError(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// The hash of a password, in the PHC string format.
pub fn hash(password: &str, entropy: &dyn Entropy) -> Result<String, HashError> {
    let mut salt = [0u8; 16];
    entropy.fill(&mut salt);
    let hash = hasher()?.hash_password_with_salt(password.as_bytes(), &salt).map_err(|error| HashError(error.to_string()))?;
    Ok(hash.to_string())
}

/// A hash that no password is known for. A login that nobody has is compared with it, so that it takes as long as one that somebody has.
pub const DUMMY_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// How the hash of a Redmine begins: `redmine-sha1$salt$hash`. It is kept nowhere, see [`wrap`].
pub const REDMINE_PREFIX: &str = "redmine-sha1$";
/// How the argon2 hash over the hash of a Redmine begins: `redmine-sha1-argon2$salt$argon2id$…`.
const WRAPPED_PREFIX: &str = "redmine-sha1-argon2$";
/// How the argon2 hash begins in there.
const ARGON2_PREFIX: &str = "$argon2id$";

/// The salted SHA-1 of a Redmine as one text; empty when there is none.
pub fn from_redmine(salt: &str, hash: &str) -> String {
    if hash.is_empty() { String::new() } else { format!("{REDMINE_PREFIX}{salt}${hash}") }
}

/// Whether this is the hash of a Redmine as it was there. SHA-1 takes so little time that anybody who reads it finds the password.
pub fn is_unwrapped(hash: &str) -> bool {
    hash.starts_with(REDMINE_PREFIX)
}

/// Hashes the hash of a Redmine with argon2, which makes it as hard to guess from as one of our own. Any other hash stays as it is.
pub fn wrap(hash: &str, entropy: &dyn Entropy) -> Result<String, HashError> {
    let Some((salt, inner)) = hash.strip_prefix(REDMINE_PREFIX).and_then(|rest| rest.rsplit_once('$')) else { return Ok(hash.to_owned()) };
    Ok(format!("{WRAPPED_PREFIX}{salt}{}", self::hash(&inner.to_ascii_lowercase(), entropy)?))
}

/// What tells two hashes of a Redmine apart and says nothing about the password: the salt, which is a new one for each password.
pub fn redmine_salt(hash: &str) -> &str {
    hash.rsplit_once('$').filter(|_| is_unwrapped(hash)).map_or(hash, |(salt, _)| salt)
}

/// Whether the hash is of a kind that is accepted once and then replaced by a stronger one.
pub fn is_outdated(hash: &str) -> bool {
    is_unwrapped(hash) || hash.starts_with(WRAPPED_PREFIX)
}

/// Redmine's rule: SHA-1 of the salt before the SHA-1 of the password, in hexadecimal.
fn hash_as_redmine(password: &str, salt: &str) -> String {
    let inner = hex::encode(Sha1::digest(password.as_bytes()));
    hex::encode(Sha1::digest(format!("{salt}{inner}").as_bytes()))
}

/// Whether the password is the one that was hashed. An unreadable hash fits no password.
pub fn verify(password: &str, hash: &str) -> bool {
    if let Some((salt, hash)) = hash.strip_prefix(REDMINE_PREFIX).and_then(|rest| rest.rsplit_once('$')) {
        return hash_as_redmine(password, salt).as_bytes().ct_eq(hash.to_ascii_lowercase().as_bytes()).into();
    }
    if let Some(rest) = hash.strip_prefix(WRAPPED_PREFIX) {
        let parts = rest.rfind(ARGON2_PREFIX).map(|index| rest.split_at(index));
        return parts.is_some_and(|(salt, hash)| verify_argon2(&hash_as_redmine(password, salt), hash));
    }
    verify_argon2(password, hash)
}

fn verify_argon2(password: &str, hash: &str) -> bool {
    let (Ok(hasher), Ok(hash)) = (hasher(), PasswordHash::new(hash)) else { return false };
    hasher.verify_password(password.as_bytes(), &hash).is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::clock::SystemEntropy;
    use super::*;

    #[test]
    fn the_right_password_fits_and_no_other() {
        let hash = hash("bobbobbob", &SystemEntropy).unwrap();
        assert!(hash.starts_with("$argon2id$"));
        assert!(verify("bobbobbob", &hash));
        assert!(!verify("bobbobbo", &hash));
        assert!(!verify("bobbobbob", ""));
        assert!(!is_outdated(&hash));
    }

    #[test]
    fn dummy_hash_is_computed_like_a_real_one_and_fits_nothing() {
        let (real, dummy) = (hash("bobbobbob", &SystemEntropy).unwrap(), PasswordHash::new(DUMMY_HASH).unwrap());
        let real = PasswordHash::new(&real).unwrap();
        assert_eq!((real.algorithm, real.version, real.params), (dummy.algorithm, dummy.version, dummy.params));
        assert!(!verify("", DUMMY_HASH) && !verify("bobbobbob", DUMMY_HASH));
    }

    #[test]
    fn a_hash_of_a_redmine_fits_its_password_and_is_outdated() {
        let hash = from_redmine("9a07ea23efb765b4fabb92e6fb8949ca", "f2966d688f7ad45c60e0bd11d5c00e4f5ac15396");
        assert!(is_outdated(&hash));
        assert!(verify("alicealice", &hash));
        assert!(!verify("alicealic", &hash));
        assert_eq!(from_redmine("salt", ""), "");
        assert!(!verify("", "redmine-sha1$"));
    }

    #[test]
    fn a_wrapped_hash_fits_the_same_password_and_does_not_tell_the_one_inside() {
        let inner = "f2966d688f7ad45c60e0bd11d5c00e4f5ac15396";
        for inner in [inner.to_owned(), inner.to_uppercase()] {
            let hash = from_redmine("9a07ea23efb765b4fabb92e6fb8949ca", &inner);
            let wrapped = wrap(&hash, &SystemEntropy).unwrap();
            assert!(wrapped.starts_with("redmine-sha1-argon2$9a07ea23efb765b4fabb92e6fb8949ca$argon2id$"), "{wrapped}");
            assert!(!wrapped.contains(&inner) && !is_unwrapped(&wrapped) && is_outdated(&wrapped));
            assert!(verify("alicealice", &wrapped) && !verify("alicealic", &wrapped) && !verify(&inner, &wrapped));
            assert_eq!(redmine_salt(&hash), "redmine-sha1$9a07ea23efb765b4fabb92e6fb8949ca");
            assert_eq!(wrap(&wrapped, &SystemEntropy).unwrap(), wrapped, "once");
        }
        assert_eq!((wrap("", &SystemEntropy).unwrap().as_str(), redmine_salt("")), ("", ""));
        for broken in ["redmine-sha1-argon2$", "redmine-sha1-argon2$salt", "redmine-sha1-argon2$salt$argon2id$x"] {
            assert!(!verify("", broken) && !verify("x", broken));
        }
    }
}
