//! Secrets of the source: stored encrypted with the secret of the data folder, as our own are.

use super::field::FieldContext;
use quarry_domain::clock::Entropy;
use quarry_store::Value;

/// Prefix of secrets that Redmine stores encrypted.
const ENCRYPTED_PREFIX: &str = "aes-256-cbc:";

/// Entropy derived from the secret itself, so that each import seals it to the same text and sees
/// that nothing has changed. Only the holder of the folder's secret can derive it.
struct DerivedEntropy([u8; 32]);

impl Entropy for DerivedEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        bytes
            .iter_mut()
            .zip(self.0.iter().cycle())
            .for_each(|(byte, derived)| *byte = *derived);
    }
}

/// Seals the secret in the column.
pub fn seal(context: &FieldContext<'_>) -> Result<Value, String> {
    let secret = context.row.text(context.field.from)?;
    if secret.is_empty() {
        return Ok(Value::Null);
    }
    if secret.starts_with(ENCRYPTED_PREFIX) {
        return Err("is encrypted with a key from the source's configuration, which the import does not read".to_owned());
    }
    let entropy =
        DerivedEntropy(
            context
                .secrets
                .fingerprint(&["import", context.field.to, &secret]),
        );
    context
        .secrets
        .seal(&secret, &entropy)
        .map(Value::Text)
        .map_err(|error| error.to_string())
}

/// Returns the digest by which the API key in the column is looked up.
pub fn digest_api_key(context: &FieldContext<'_>) -> Result<Value, String> {
    let key = context.row.text(context.field.from)?;
    Ok(if key.is_empty() {
        Value::Null
    } else {
        context.secrets.digest(&key).into()
    })
}

#[cfg(test)]
mod tests {
    use super::super::field::convert_row;
    use super::super::source::Cell;
    use super::*;

    fn sealed(text: &str) -> Result<Value, String> {
        convert_row(seal, &[("twofa_totp_key", Cell::Text(text.to_owned()))])
    }

    #[test]
    fn encrypted_secrets_are_rejected() {
        assert!(
            sealed("aes-256-cbc:bm90aGluZw==--bm90aGluZw==")
                .unwrap_err()
                .starts_with("is encrypted with a key")
        );
        assert!(
            matches!(sealed("JBSWY3DPEHPK3PXP"), Ok(Value::Text(sealed)) if !sealed.contains("JBSWY3DP"))
        );
        assert_eq!(sealed(""), Ok(Value::Null));
    }
}
