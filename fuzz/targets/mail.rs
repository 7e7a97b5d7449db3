//! Received mails.

use quarry::mail::incoming;

/// Parses a mail, and checks that its head alone is parsed in the same way.
pub fn run(data: &[u8]) {
    let delimiters = "-- \nOn .* wrote:";
    let head = incoming::parse_head(data);
    if let Ok(mail) = incoming::parse(data, delimiters) {
        assert!(head.is_ok(), "the head of a mail that is accepted");
        assert!(!mail.subject.contains(['\r', '\n']));
    }
}
