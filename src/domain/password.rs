//! Passwords: kept as argon2 hashes, never as they are.

use super::clock::Entropy;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};

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

/// Whether the password is the one that was hashed. An unreadable hash fits no password.
pub fn verify(password: &str, hash: &str) -> bool {
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
    }
}
