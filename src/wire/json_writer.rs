//! Writes scalars as JSON.
//!
//! Invariant: the result is one JSON value that is also safe inside a `<script>` element: `<`, `>`,
//! `&`, U+2028 and U+2029 are escaped, other non-ASCII characters are not (compatibility 3.1).
//! Imports only `number_format` and `scalar`.

use super::number_format;
use super::scalar::Value;

/// Appends a scalar.
pub(super) fn write_value(out: &mut String, value: Value<'_>) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        Value::Integer(number) => number_format::write_integer(out, number),
        Value::Unsigned(number) => number_format::write_unsigned(out, number),
        Value::Float(number) => number_format::write_float(out, number),
        Value::Text(content) => write_text(out, content),
        Value::Date(date) => {
            out.push('"');
            number_format::write_date(out, date);
            out.push('"');
        }
        Value::Timestamp(at) => {
            out.push('"');
            number_format::write_timestamp(out, at);
            out.push('"');
        }
    }
}

/// Appends a quoted string. Runs of bytes without an escape are copied at once.
fn write_text(out: &mut String, text: &str) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push('"');
    let mut copied = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        if !MAY_NEED_ESCAPE[usize::from(byte)] {
            continue;
        }
        let (escape, width) = match byte {
            b'"' => ("\\\"", 1),
            b'\\' => ("\\\\", 1),
            b'\n' => ("\\n", 1),
            b'\r' => ("\\r", 1),
            b'\t' => ("\\t", 1),
            0x08 => ("\\b", 1),
            0x0c => ("\\f", 1),
            b'<' => ("\\u003c", 1),
            b'>' => ("\\u003e", 1),
            b'&' => ("\\u0026", 1),
            // The first byte of U+2028 and U+2029, and of characters that need no escape.
            0xe2 => match bytes.get(index + 1..index + 3) {
                Some([0x80, 0xa8]) => ("\\u2028", 3),
                Some([0x80, 0xa9]) => ("\\u2029", 3),
                _ => continue,
            },
            _ => ("\\u00", 1),
        };
        out.push_str(&text[copied..index]);
        out.push_str(escape);
        if escape == "\\u00" {
            out.push(hex_digit(byte >> 4));
            out.push(hex_digit(byte & 0xf));
        }
        copied = index + width;
    }
    out.push_str(&text[copied..]);
    out.push('"');
}

fn hex_digit(digit: u8) -> char {
    char::from_digit(u32::from(digit), 16).unwrap_or('0')
}

/// Bytes that need an escape, or start a character that may need one.
static MAY_NEED_ESCAPE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table[b'<' as usize] = true;
    table[b'>' as usize] = true;
    table[b'&' as usize] = true;
    table[0xe2] = true;
    table
};
