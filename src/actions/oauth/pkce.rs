//! Proof Key for Code Exchange (RFC 7636): only `S256`.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Whether the verifier belongs to the challenge (section 4.6). The time does not depend on where
/// they differ.
pub fn verifies(verifier: &str, challenge: &str) -> bool {
    let is_well_formed = (43..=128).contains(&verifier.len())
        && verifier
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
    let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    is_well_formed && bool::from(digest.as_bytes().ct_eq(challenge.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn verifier_of_the_challenge_is_accepted() {
        assert!(verifies(VERIFIER, CHALLENGE));
    }

    #[test]
    fn challenge_itself_and_other_texts_are_refused() {
        // The method `plain` would accept the first.
        for verifier in [
            CHALLENGE,
            "",
            "short",
            &VERIFIER[1..],
            &format!("{VERIFIER}="),
            &"a".repeat(129),
        ] {
            assert!(!verifies(verifier, CHALLENGE), "{verifier}");
        }
    }
}
