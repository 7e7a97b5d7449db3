//! Bodies in JSON.

use quarry::wire::from_json;

/// A body is parsed or refused with a message.
pub fn run(data: &[u8]) {
    if let Err(error) = from_json(data) {
        assert!(!error.to_string().is_empty());
    }
}
