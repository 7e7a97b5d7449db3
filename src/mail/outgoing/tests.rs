//! Tests of the form of messages: no text ends its header.

use super::message::{ListHeaders, Message};
use jiff::Timestamp;
use mail_parser::MessageParser;
use quarry_domain::values::mail_address::MailAddress;

/// Returns a message with this subject and this name of its recipient.
pub fn message(subject: &str, name: &str) -> Message {
    Message {
        from: MailAddress::new("Quarry", "quarry@example.org"),
        to: MailAddress::new(name, "ann@example.org"),
        reply_to: Some(MailAddress::new(name, "reply@example.org")),
        subject: subject.to_owned(),
        text: "Hello\n.\nBcc: x@example.org\n".to_owned(),
        html: "<p>Hello</p>".to_owned(),
        date: Timestamp::UNIX_EPOCH,
        message_id: "1.abc@example.org".to_owned(),
        references: vec!["0.abc@example.org".to_owned(); 300],
        list: Some(ListHeaders {
            name: subject.to_owned(),
            id: "x\r\nBcc: y.example.org".to_owned(),
            unsubscribe: Some("https://example.org/u?t=1\r\nBcc: x".to_owned()),
        }),
        headers: vec![("X-Redmine-Project", subject.to_owned())],
    }
}

/// Returns the names of the headers, in lower case.
fn header_names(wire: &str) -> Vec<String> {
    let (head, _) = wire.split_once("\r\n\r\n").unwrap();
    head.split("\r\n")
        .filter(|line| !line.starts_with([' ', '\t']))
        .map(|line| line.split_once(':').unwrap().0.to_lowercase())
        .collect()
}

#[test]
fn texts_of_records_never_become_headers() {
    let hostile = [
        "plain".to_owned(),
        "a\r\nBcc: x@example.org".to_owned(),
        "a\nBcc: x@example.org".to_owned(),
        "a\rBcc: x@example.org".to_owned(),
        "\r\n\r\nbody".to_owned(),
        "é\r\nBcc: x@example.org".to_owned(),
        "a\u{2028}Bcc: x\u{85}y\0z".to_owned(),
        "=?utf-8?q?a=0D=0ABcc:_x?=".to_owned(),
        "\"quoted\\\" <x@example.org>, y".to_owned(),
        "x".repeat(5000),
        "é漢😀".repeat(2000),
        "a \u{202e}b".to_owned(),
        " ".repeat(2000),
    ];
    let expected = header_names(&wire(&message("plain", "plain")));
    for text in &hostile {
        let wire = wire(&message(text, text));
        assert_eq!(header_names(&wire), expected, "{text:?}");
        assert!(wire.is_ascii(), "{text:?}");
        let lines = wire.split("\r\n");
        assert!(
            lines
                .clone()
                .all(|line| line.len() <= 998 && !line.contains(['\r', '\n', '\0'])),
            "{text:?}"
        );
        let parsed = MessageParser::default().parse(wire.as_bytes()).unwrap();
        assert!(parsed.bcc().is_none());
        let to = parsed.to().unwrap().as_list().unwrap();
        assert_eq!(to.len(), 1, "{text:?}");
        assert_eq!(to[0].address(), Some("ann@example.org"));
    }
}

#[test]
fn typed_encoded_words_are_not_decoded() {
    let typed = "=?utf-8?q?Invoice_from_your_bank?=";
    let wire = wire(&message(typed, typed));
    let parsed = MessageParser::default().parse(wire.as_bytes()).unwrap();
    let shown = typed.replace("=?", "=\u{200b}?");
    assert_eq!(parsed.subject(), Some(shown.as_str()));
    let name = parsed.to().unwrap().first().unwrap().name();
    assert_eq!(name, Some(shown.as_str()));
}

fn wire(message: &Message) -> String {
    String::from_utf8(message.to_wire().unwrap().1).unwrap()
}

#[test]
fn subject_and_name_survive() {
    let subject = "Überlauf im Ventil 漢字 ".repeat(4);
    let name = "Ann \"Ä\" Lee, Dr.";
    let wire = wire(&message(&subject, name));
    let parsed = MessageParser::default().parse(wire.as_bytes()).unwrap();
    assert_eq!(parsed.subject(), Some(subject.trim()));
    assert_eq!(parsed.to().unwrap().first().unwrap().name(), Some(name));
    assert_eq!(parsed.message_id(), Some("1.abc@example.org"));
    assert_eq!(
        parsed.header_raw("Auto-Submitted").unwrap().trim(),
        "auto-generated"
    );
    assert_eq!(
        parsed
            .header_raw("X-Auto-Response-Suppress")
            .unwrap()
            .trim(),
        "All"
    );
    assert!(
        parsed
            .body_text(0)
            .unwrap()
            .contains("\r\n.\r\nBcc: x@example.org")
            || parsed
                .body_text(0)
                .unwrap()
                .contains("\n.\nBcc: x@example.org")
    );
    assert!(parsed.body_html(0).unwrap().contains("<p>Hello</p>"));
}

#[test]
fn address_that_is_none_is_refused_for_good() {
    let mut message = message("a", "b");
    message.to.address = "nobody".to_owned();
    let error = message.to_wire().unwrap_err();
    assert_eq!(
        error,
        super::SendError::Permanent("nobody is not a mail address".to_owned())
    );
}
