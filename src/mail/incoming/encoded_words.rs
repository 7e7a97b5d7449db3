//! Encoded words of a field (RFC 2047), joined where a program has cut a text between them.
//!
//! Programs cut between the bytes of a character, although each word must have whole characters, and they
//! fold quoted file names between two words. The parser decodes each word on its own.

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode_char;
use std::fmt::Write as _;

/// An encoded word.
struct Word<'t> {
    charset: &'t str,
    bytes: Vec<u8>,
    /// What follows it.
    rest: &'t str,
}

/// Returns the value of a field with adjacent encoded words of one character set joined into one.
pub fn join(value: &str) -> String {
    let mut joined = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(start) = rest.find("=?") {
        let Some(first) = parse_word(&rest[start..]) else {
            joined.push_str(&rest[..start + 2]);
            rest = &rest[start + 2..];
            continue;
        };
        joined.push_str(&rest[..start]);
        let mut bytes = first.bytes;
        let mut after = first.rest;
        let mut count = 1;
        while let Some(next) = parse_word(after.trim_ascii_start())
            && next.charset.eq_ignore_ascii_case(first.charset)
        {
            bytes.extend(next.bytes);
            after = next.rest;
            count += 1;
        }
        if count == 1 {
            joined.push_str(&rest[start..rest.len() - after.len()]);
        } else {
            write_word(&mut joined, first.charset, &bytes);
        }
        rest = after;
    }
    joined.push_str(rest);
    joined
}

/// Parses the encoded word with which a text begins.
fn parse_word(text: &str) -> Option<Word<'_>> {
    let (charset, text) = text.strip_prefix("=?")?.split_once('?')?;
    let (encoding, text) = text.split_once('?')?;
    // Reads up to the next question mark, so that a text without ends of words is not read to its end
    // for each beginning.
    let (content, rest) = text.split_once('?')?;
    let rest = rest.strip_prefix('=')?;
    let is_word = |part: &str| part.bytes().all(|byte| byte.is_ascii_graphic());
    if charset.is_empty() || !is_word(charset) {
        return None;
    }
    let bytes = match encoding {
        "B" | "b" => base64_decode(content.as_bytes())?,
        "Q" | "q" => decode_quoted(content.as_bytes())?,
        _ => return None,
    };
    // Without the language (RFC 2231, 5).
    let charset = charset.split('*').next().unwrap_or(charset);
    Some(Word {
        charset,
        bytes,
        rest,
    })
}

fn decode_quoted(content: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(content.len());
    let mut rest = content.iter();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'_' => b' ',
            b'=' => quoted_printable_decode_char(*rest.next()?, *rest.next()?)?,
            byte => *byte,
        });
    }
    Some(bytes)
}

fn write_word(out: &mut String, charset: &str, bytes: &[u8]) {
    out.push_str("=?");
    out.push_str(charset);
    out.push_str("?Q?");
    for byte in bytes {
        if byte.is_ascii_alphanumeric() {
            out.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "={byte:02X}");
        }
    }
    out.push_str("?=");
}

#[cfg(test)]
mod tests {
    use super::join;
    use crate::incoming::time_growth::assert_linear_time;

    #[test]
    fn only_adjacent_words_of_one_character_set_are_joined() {
        for (value, expected) in [
            (
                "=?utf-8?B?0J/Q?= =?UTF-8?b?sA==?=",
                "=?utf-8?Q?=D0=9F=D0=B0?=",
            ),
            (
                "a =?utf-8?q?=C3?==?utf-8?q?=A4_b?= c",
                "a =?utf-8?Q?=C3=A4=20b?= c",
            ),
            ("=?utf-8*de?q?=C3?= =?utf-8?B?pA==?=", "=?utf-8?Q?=C3=A4?="),
            (
                "=?utf-8?q?a?= b =?utf-8?q?c?=",
                "=?utf-8?q?a?= b =?utf-8?q?c?=",
            ),
            (
                "=?utf-8?q?a?= =?iso-8859-1?q?c?=",
                "=?utf-8?q?a?= =?iso-8859-1?q?c?=",
            ),
            ("=?utf-8?x?a?= =?utf-8?x?c?=", "=?utf-8?x?a?= =?utf-8?x?c?="),
            (
                "=?utf-8?q?=C?= =?utf-8?q?c?=",
                "=?utf-8?q?=C?= =?utf-8?q?c?=",
            ),
            ("=? =?a?= ==", "=? =?a?= =="),
        ] {
            assert_eq!(join(value), expected, "{value}");
        }
    }

    #[test]
    fn time_is_linear_in_the_length() {
        for part in [
            "=?",
            "=?a",
            "=?a?q?b",
            "=?a?q?b?",
            "=?utf-8?q?a?= ",
            "=?utf-8?q?",
            "=?a?q?b?=?",
            "=?a?b?YQ==?= =?b?b?YQ==?=",
            "=?a?q?b?=      ",
        ] {
            assert_linear_time(part, |value| drop(join(value)));
        }
    }
}
