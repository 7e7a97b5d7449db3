//! How is a scalar written in XML?
//!
//! Invariant: what is written is well-formed XML 1.0. Characters that XML 1.0 forbids (control characters,
//! U+FFFE, U+FFFF) become U+FFFD, so that a reader sees that something stood there. Imports nothing but `digits`.

use super::digits;
use super::scalar::Value;

/// What every document begins with (contract 1.1).
pub(super) const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;

/// Appends `<name>value</name>`, or `<name/>` for null (contract 1.2).
pub(super) fn element(out: &mut String, name: &str, value: Value<'_>) {
    out.push('<');
    out.push_str(name);
    if value == Value::Null {
        out.push_str("/>");
        return;
    }
    out.push('>');
    content(out, value, Place::Text);
    end(out, name);
}

/// Appends ` name="value"`; null is the empty attribute ` delay=""`.
pub(super) fn attribute(out: &mut String, name: &str, value: Value<'_>) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    content(out, value, Place::Attribute);
    out.push('"');
}

/// Appends `</name>`.
pub(super) fn end(out: &mut String, name: &str) {
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

/// Whether XML 1.0 allows this character in a document.
pub(super) fn is_allowed(character: char) -> bool {
    !matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Text,
    Attribute,
}

fn content(out: &mut String, value: Value<'_>, place: Place) {
    match value {
        Value::Null => {}
        Value::Bool(yes) => out.push_str(if yes { "true" } else { "false" }),
        Value::Integer(number) => digits::integer(out, number),
        Value::Unsigned(number) => digits::unsigned(out, number),
        Value::Float(number) => digits::float(out, number),
        Value::Text(content) => text(out, content, place),
        Value::Date(date) => digits::date(out, date),
        Value::Timestamp(at) => digits::timestamp(out, at),
    }
}

/// Runs of ordinary bytes are copied, the rest is escaped. White space and quotes need an escape in attributes
/// only; a carriage return in text stays bare, as Redmine writes it, although parsers then read `\n`.
fn text(out: &mut String, text: &str, place: Place) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len());
    let mut copied = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if !SPECIAL[usize::from(byte)] {
            continue;
        }
        let (escape, width) = match (byte, place) {
            (b'&', _) => ("&amp;", 1),
            (b'<', _) => ("&lt;", 1),
            (b'>', _) => ("&gt;", 1),
            (b'"' | b'\t' | b'\n' | b'\r', Place::Text) => continue,
            (b'"', Place::Attribute) => ("&quot;", 1),
            (b'\t', Place::Attribute) => ("&#9;", 1),
            (b'\n', Place::Attribute) => ("&#10;", 1),
            (b'\r', Place::Attribute) => ("&#13;", 1),
            // the first byte of U+FFFE and U+FFFF, and of much that is allowed
            (0xef, _) => match bytes.get(at + 1..at + 3) {
                Some([0xbf, 0xbe | 0xbf]) => ("\u{fffd}", 3),
                _ => continue,
            },
            _ => ("\u{fffd}", 1),
        };
        out.push_str(&text[copied..at]);
        out.push_str(escape);
        copied = at + width;
    }
    out.push_str(&text[copied..]);
}

/// Bytes at which a run may end.
static SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'&' as usize] = true;
    table[b'<' as usize] = true;
    table[b'>' as usize] = true;
    table[b'"' as usize] = true;
    table[0xef] = true;
    table
};
