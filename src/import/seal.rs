//! Secrets of the source: kept sealed under the secret of the data folder, as our own are.

use super::field::Asked;
use crate::domain::clock::Entropy;
use crate::store::Value;

/// How secrets begin that a Redmine keeps encrypted.
const ENCRYPTED: &str = "aes-256-cbc:";

/// The same secret is sealed in the same way each time, so that a second import sees that nothing has changed. What is
/// derived is known to the holder of the folder's secret alone.
struct Derived([u8; 32]);

impl Entropy for Derived {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.iter_mut().zip(self.0.iter().cycle()).for_each(|(byte, derived)| *byte = *derived);
    }
}

/// The secret, sealed.
pub fn sealed(asked: &Asked<'_>) -> Result<Value, String> {
    let secret = asked.row.text(asked.field.from)?;
    if secret.is_empty() {
        return Ok(Value::Null);
    }
    if secret.starts_with(ENCRYPTED) {
        return Err("is encrypted with a key that stands in the source's configuration, which is not read".to_owned());
    }
    let derived = Derived(asked.secrets.fingerprint(&["import", asked.field.to, &secret]));
    asked.secrets.seal(&secret, &derived).map(Value::Text).map_err(|error| error.to_string())
}

/// The digest under which an API key is looked up.
pub fn looked_up(asked: &Asked<'_>) -> Result<Value, String> {
    let key = asked.row.text(asked.field.from)?;
    Ok(if key.is_empty() { Value::Null } else { asked.secrets.digest(&key).into() })
}

#[cfg(test)]
mod tests {
    use super::super::nouns::made;
    use super::super::source::Cell;
    use super::*;

    #[test]
    fn a_secret_that_cannot_be_read_is_not_taken_for_one() {
        let secret = |text: &str| made(sealed, &[("twofa_totp_key", Cell::Text(text.to_owned()))]);
        assert!(secret("aes-256-cbc:bm90aGluZw==--bm90aGluZw==").unwrap_err().starts_with("is encrypted with a key"));
        assert!(matches!(secret("JBSWY3DPEHPK3PXP"), Ok(Value::Text(sealed)) if !sealed.contains("JBSWY3DP")));
        assert_eq!(secret(""), Ok(Value::Null));
    }
}
