//! Bodies in XML.

use quarry::wire::from_xml;

/// A body is parsed or refused with a message.
pub fn run(data: &[u8]) {
    if let Err(error) = from_xml(data) {
        assert!(!error.to_string().is_empty());
    }
}
