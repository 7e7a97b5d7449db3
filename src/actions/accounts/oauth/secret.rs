//! Secrets, authorization codes and tokens: random texts that cannot be guessed (RFC 6749, section
//! 10.10).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quarry_domain::clock::Entropy;

/// Returns a random text of 43 characters with 256 bits, which needs no escaping in URLs and
/// headers.
pub fn generate(entropy: &dyn Entropy) -> String {
    let mut bytes = [0u8; 32];
    entropy.fill(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}
