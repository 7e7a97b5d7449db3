//! Passwords: kept as argon2 hashes, never as they are.

use super::clock::Entropy;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use sha1::{Digest, Sha1};
use subtle::ConstantTimeEq;

/// The shortest password that is accepted (contract 9).
pub const SHORTEST: usize = 8;

/// A password could not be hashed.
#[derive(Debug, thiserror::Error)]
#[error("password cannot be hashed: {0}")]
pub struct Unhashable(String);

/// Argon2id with 19 MiB, two passes, one lane: the smallest setting that OWASP's password storage sheet recommends.
fn hasher() -> Result<Argon2<'static>, Unhashable> {
    let params = Params::new(19 * 1024, 2, 1, None).map_err(|error| Unhashable(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// The hash of a password, in the PHC string format.
pub fn hash(password: &str, entropy: &dyn Entropy) -> Result<String, Unhashable> {
    let mut salt = [0u8; 16];
    entropy.fill(&mut salt);
    let hash = hasher()?.hash_password_with_salt(password.as_bytes(), &salt).map_err(|error| Unhashable(error.to_string()))?;
    Ok(hash.to_string())
}

/// A hash that no password is known for. A login that nobody has is compared with it, so that it takes as long as one that somebody has.
pub const DUMMY_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// What the hash of a Redmine begins with: `redmine-sha1$salt$hash`.
const REDMINE: &str = "redmine-sha1$";

/// The salted SHA-1 of a Redmine as a hash that [`verify`] understands; empty when there is none.
pub fn of_redmine(salt: &str, hash: &str) -> String {
    if hash.is_empty() { String::new() } else { format!("{REDMINE}{salt}${hash}") }
}

/// Whether the hash is of a kind that is accepted once and then replaced by a stronger one.
pub fn is_outdated(hash: &str) -> bool {
    hash.starts_with(REDMINE)
}

/// Redmine's rule: SHA-1 of the salt before the SHA-1 of the password, in hexadecimal.
fn fits_redmine(password: &str, salt: &str, hash: &str) -> bool {
    let inner = hex::encode(Sha1::digest(password.as_bytes()));
    let ours = hex::encode(Sha1::digest(format!("{salt}{inner}").as_bytes()));
    ours.as_bytes().ct_eq(hash.to_ascii_lowercase().as_bytes()).into()
}

/// Whether the password is the one that was hashed. An unreadable hash fits no password.
pub fn verify(password: &str, hash: &str) -> bool {
    if let Some(rest) = hash.strip_prefix(REDMINE) {
        return rest.rsplit_once('$').is_some_and(|(salt, hash)| fits_redmine(password, salt, hash));
    }
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
        let hash = of_redmine("9a07ea23efb765b4fabb92e6fb8949ca", "f2966d688f7ad45c60e0bd11d5c00e4f5ac15396");
        assert!(is_outdated(&hash));
        assert!(verify("alicealice", &hash));
        assert!(!verify("alicealic", &hash));
        assert_eq!(of_redmine("salt", ""), "");
        assert!(!verify("", "redmine-sha1$"));
    }
}
