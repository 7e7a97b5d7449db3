//! Hashes and verifies passwords. Only argon2 hashes are stored.

use super::guess_permit::GuessPermit;
use crate::clock::Entropy;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use sha1::{Digest, Sha1};

/// Minimum length of a password in characters (compatibility 3.6).
pub const MIN_LENGTH: usize = 8;

/// Letters and digits that are easy to tell apart.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Returns a random password of 20 letters and digits (100 bits).
pub fn generate(entropy: &dyn Entropy) -> String {
    let mut bytes = [0u8; 20];
    entropy.fill(&mut bytes);
    bytes
        .iter()
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect()
}

/// A password could not be hashed.
#[derive(Debug, thiserror::Error)]
#[error("password cannot be hashed: {0}")]
pub struct HashError(String);

/// Returns Argon2id with 19 MiB, two passes and one lane, the minimum that OWASP recommends for
/// stored passwords.
fn hasher() -> Result<Argon2<'static>, HashError> {
    let params =
        Params::new(19 * 1024, 2, 1, None).map_err(|error| HashError(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Returns the hash of a password in the PHC string format.
pub fn hash(password: &str, entropy: &dyn Entropy) -> Result<String, HashError> {
    let mut salt = [0u8; 16];
    entropy.fill(&mut salt);
    let hash = hasher()?
        .hash_password_with_salt(password.as_bytes(), &salt)
        .map_err(|error| HashError(error.to_string()))?;
    Ok(hash.to_string())
}

/// A hash without a known password. Verifying against it makes a login with an unknown name take as
/// long as one with a known name.
pub const DUMMY_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Prefix of a hash from Redmine: `redmine-sha1$salt$hash`. SHA-1 is fast, so anyone who reads the
/// hash can find the password by trying. Such a hash is never stored, see [`wrap`], and matches no
/// password.
const REDMINE_PREFIX: &str = "redmine-sha1$";
/// Prefix of the argon2 hash of a hash from Redmine: `redmine-sha1-argon2$salt$argon2id$…`.
const WRAPPED_PREFIX: &str = "redmine-sha1-argon2$";
/// Prefix of the argon2 hash in it.
const ARGON2_PREFIX: &str = "$argon2id$";

/// Returns the salt and SHA-1 of Redmine as one string; empty if there is no hash.
pub fn from_redmine(salt: &str, hash: &str) -> String {
    if hash.is_empty() {
        String::new()
    } else {
        format!("{REDMINE_PREFIX}{salt}${hash}")
    }
}

/// Hashes a hash from Redmine with argon2, which makes it as strong as our own hashes. Returns any
/// other hash unchanged.
pub fn wrap(hash: &str, entropy: &dyn Entropy) -> Result<String, HashError> {
    let Some((salt, inner)) = hash
        .strip_prefix(REDMINE_PREFIX)
        .and_then(|rest| rest.rsplit_once('$'))
    else {
        return Ok(hash.to_owned());
    };
    Ok(format!(
        "{WRAPPED_PREFIX}{salt}{}",
        self::hash(&inner.to_ascii_lowercase(), entropy)?
    ))
}

/// Returns the prefix and salt of a hash from Redmine. They identify the hash without revealing the
/// password, because every password has its own salt.
pub fn redmine_salt(hash: &str) -> &str {
    hash.rsplit_once('$')
        .filter(|_| hash.starts_with(REDMINE_PREFIX))
        .map_or(hash, |(salt, _)| salt)
}

/// Returns the prefix and salt of a Redmine hash that was wrapped in argon2, and any other hash as
/// a whole. The result differs when the password has changed.
pub fn wrapped_salt(hash: &str) -> &str {
    hash.split_once("$argon2id$")
        .filter(|_| hash.starts_with(WRAPPED_PREFIX))
        .map_or(hash, |(salt, _)| salt)
}

/// Whether the hash should be replaced by a stronger one at the next login.
pub fn is_outdated(hash: &str) -> bool {
    hash.starts_with(WRAPPED_PREFIX)
}

/// Returns Redmine's hash: the SHA-1 of the salt followed by the hexadecimal SHA-1 of the password.
fn hash_as_redmine(password: &str, salt: &str) -> String {
    let inner = hex::encode(Sha1::digest(password.as_bytes()));
    hex::encode(Sha1::digest(format!("{salt}{inner}").as_bytes()))
}

/// Whether the password matches the hash. Consumes the permit. An invalid hash matches no password.
pub fn verify(_permit: GuessPermit, password: &str, hash: &str) -> bool {
    matches(password, hash)
}

fn matches(password: &str, hash: &str) -> bool {
    if let Some(rest) = hash.strip_prefix(WRAPPED_PREFIX) {
        let parts = rest.rfind(ARGON2_PREFIX).map(|index| rest.split_at(index));
        return parts
            .is_some_and(|(salt, hash)| verify_argon2(&hash_as_redmine(password, salt), hash));
    }
    verify_argon2(password, hash)
}

fn verify_argon2(password: &str, hash: &str) -> bool {
    let (Ok(hasher), Ok(hash)) = (hasher(), PasswordHash::new(hash)) else {
        return false;
    };
    hasher.verify_password(password.as_bytes(), &hash).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemEntropy;

    #[test]
    fn only_the_hashed_password_matches() {
        let hash = hash("bobbobbob", &SystemEntropy).unwrap();
        assert!(hash.starts_with("$argon2id$"));
        assert!(matches("bobbobbob", &hash));
        assert!(!matches("bobbobbo", &hash));
        assert!(!matches("bobbobbob", ""));
        assert!(!is_outdated(&hash));
    }

    #[test]
    fn generated_passwords_are_long_and_differ() {
        let first = generate(&SystemEntropy);
        let second = generate(&SystemEntropy);
        assert_eq!(first.len(), 20);
        assert_ne!(first, second);
    }

    #[test]
    fn dummy_hash_has_the_parameters_of_a_real_one_and_matches_nothing() {
        let real = hash("bobbobbob", &SystemEntropy).unwrap();
        let dummy = PasswordHash::new(DUMMY_HASH).unwrap();
        let real = PasswordHash::new(&real).unwrap();
        assert_eq!(
            (real.algorithm, real.version, real.params),
            (dummy.algorithm, dummy.version, dummy.params)
        );
        assert!(!matches("", DUMMY_HASH) && !matches("bobbobbob", DUMMY_HASH));
    }

    #[test]
    fn redmine_hash_matches_once_it_is_wrapped_and_hides_the_inner_hash() {
        let inner = "f2966d688f7ad45c60e0bd11d5c00e4f5ac15396";
        for inner in [inner.to_owned(), inner.to_uppercase()] {
            let hash = from_redmine("9a07ea23efb765b4fabb92e6fb8949ca", &inner);
            assert!(!matches("alicealice", &hash));
            let wrapped = wrap(&hash, &SystemEntropy).unwrap();
            assert!(
                wrapped
                    .starts_with("redmine-sha1-argon2$9a07ea23efb765b4fabb92e6fb8949ca$argon2id$"),
                "{wrapped}"
            );
            assert!(!wrapped.contains(&inner) && is_outdated(&wrapped));
            assert!(
                matches("alicealice", &wrapped)
                    && !matches("alicealic", &wrapped)
                    && !matches(&inner, &wrapped)
            );
            assert_eq!(
                redmine_salt(&hash),
                "redmine-sha1$9a07ea23efb765b4fabb92e6fb8949ca"
            );
            assert_eq!(wrap(&wrapped, &SystemEntropy).unwrap(), wrapped, "once");
        }
        assert_eq!(from_redmine("salt", ""), "");
        assert_eq!(
            (wrap("", &SystemEntropy).unwrap().as_str(), redmine_salt("")),
            ("", "")
        );
        for broken in [
            "redmine-sha1-argon2$",
            "redmine-sha1-argon2$salt",
            "redmine-sha1-argon2$salt$argon2id$x",
        ] {
            assert!(!matches("", broken) && !matches("x", broken));
        }
    }
}
