//! Secrets of the source: kept sealed under the secret of the data folder, as our own are.

use super::field::Asked;
use crate::domain::clock::Entropy;
use crate::store::Value;

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
    let derived = Derived(asked.secrets.fingerprint(&["import", asked.field.to, &secret]));
    asked.secrets.seal(&secret, &derived).map(Value::Text).map_err(|error| error.to_string())
}

/// The digest under which an API key is looked up.
pub fn looked_up(asked: &Asked<'_>) -> Result<Value, String> {
    let key = asked.row.text(asked.field.from)?;
    Ok(if key.is_empty() { Value::Null } else { asked.secrets.digest(&key).into() })
}
