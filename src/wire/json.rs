//! How is a scalar written in JSON?
//!
//! Invariant: what is written is one JSON value that stands safely inside a `<script>` element too: `<`, `>`,
//! `&`, U+2028 and U+2029 are escaped, other non-ASCII is not (contract 1.1). Imports nothing but `digits` and `scalar`.

use super::digits;
use super::scalar::Value;

/// Appends a scalar.
pub(super) fn value(out: &mut String, value: Value<'_>) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(yes) => out.push_str(if yes { "true" } else { "false" }),
        Value::Integer(number) => digits::integer(out, number),
        Value::Unsigned(number) => digits::unsigned(out, number),
        Value::Float(number) => digits::float(out, number),
        Value::Text(content) => text(out, content),
        Value::Date(date) => {
            out.push('"');
            digits::date(out, date);
            out.push('"');
        }
        Value::Timestamp(at) => {
            out.push('"');
            digits::timestamp(out, at);
            out.push('"');
        }
    }
}

/// Appends a quoted string: runs of ordinary bytes are copied, the rest is escaped.
pub(super) fn text(out: &mut String, text: &str) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push('"');
    let mut copied = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        if !SPECIAL[usize::from(byte)] {
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
            // the first byte of U+2028 and U+2029, and of much that needs no escape
            0xe2 => match bytes.get(at + 1..at + 3) {
                Some([0x80, 0xa8]) => ("\\u2028", 3),
                Some([0x80, 0xa9]) => ("\\u2029", 3),
                _ => continue,
            },
            _ => ("\\u00", 1),
        };
        out.push_str(&text[copied..at]);
        out.push_str(escape);
        if escape == "\\u00" {
            out.push(hex(byte >> 4));
            out.push(hex(byte & 0xf));
        }
        copied = at + width;
    }
    out.push_str(&text[copied..]);
    out.push('"');
}

fn hex(digit: u8) -> char {
    char::from_digit(u32::from(digit), 16).unwrap_or('0')
}

/// Bytes at which a run ends.
static SPECIAL: [bool; 256] = {
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
