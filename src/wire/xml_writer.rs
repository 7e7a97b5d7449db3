//! Writes scalars as XML elements and attributes.
//!
//! Invariant: the result is well-formed XML 1.0. Characters that XML 1.0 forbids (control
//! characters, U+FFFE, U+FFFF) become U+FFFD, so that a reader sees that there was something.
//! Imports only `number_format` and `scalar`.

use super::number_format;
use super::scalar::Value;

/// XML declaration at the start of every document (compatibility 3.1).
pub(super) const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;

/// Appends `<name>value</name>`, or `<name/>` for null (compatibility 3.2).
pub(super) fn write_element(out: &mut String, name: &str, value: Value<'_>) {
    out.push('<');
    out.push_str(name);
    if value == Value::Null {
        out.push_str("/>");
        return;
    }
    out.push('>');
    write_content(out, value, Context::Text);
    write_end_tag(out, name);
}

/// Appends ` name="value"`; null is the empty attribute ` delay=""`.
pub(super) fn write_attribute(out: &mut String, name: &str, value: Value<'_>) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    write_content(out, value, Context::Attribute);
    out.push('"');
}

/// Appends `</name>`.
pub(super) fn write_end_tag(out: &mut String, name: &str) {
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

/// Whether XML 1.0 allows this character in a document.
pub(super) fn is_allowed(character: char) -> bool {
    !matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Where a value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Text,
    Attribute,
}

fn write_content(out: &mut String, value: Value<'_>, context: Context) {
    match value {
        Value::Null => {}
        Value::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        Value::Integer(number) => number_format::write_integer(out, number),
        Value::Unsigned(number) => number_format::write_unsigned(out, number),
        Value::Float(number) => number_format::write_float(out, number),
        Value::Text(content) => write_text(out, content, context),
        Value::Date(date) => number_format::write_date(out, date),
        Value::Timestamp(at) => number_format::write_timestamp(out, at),
    }
}

/// Appends escaped text. White space and quotation marks are escaped in attributes only. A carriage
/// return in text is not escaped, as in Redmine, although parsers then read `\n`.
fn write_text(out: &mut String, text: &str, context: Context) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len());
    let mut copied = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        if !MAY_NEED_ESCAPE[usize::from(byte)] {
            continue;
        }
        let (escape, width) = match (byte, context) {
            (b'&', _) => ("&amp;", 1),
            (b'<', _) => ("&lt;", 1),
            (b'>', _) => ("&gt;", 1),
            (b'"' | b'\t' | b'\n' | b'\r', Context::Text) => continue,
            (b'"', Context::Attribute) => ("&quot;", 1),
            (b'\t', Context::Attribute) => ("&#9;", 1),
            (b'\n', Context::Attribute) => ("&#10;", 1),
            (b'\r', Context::Attribute) => ("&#13;", 1),
            // The first byte of U+FFFE and U+FFFF, and of allowed characters.
            (0xef, _) => match bytes.get(index + 1..index + 3) {
                Some([0xbf, 0xbe | 0xbf]) => ("\u{fffd}", 3),
                _ => continue,
            },
            _ => ("\u{fffd}", 1),
        };
        out.push_str(&text[copied..index]);
        out.push_str(escape);
        copied = index + width;
    }
    out.push_str(&text[copied..]);
}

/// Bytes that may need an escape, or start a character that may need one.
static MAY_NEED_ESCAPE: [bool; 256] = {
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
