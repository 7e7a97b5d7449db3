//! Parsing and normalizing of text.

use jiff::civil::Date;
use std::borrow::Cow;

/// Parses `1`, `true`, `on`, `yes` and `0`, `false`, `off`, `no` or nothing, ignoring case
/// (compatibility 2.1); `None` for other text.
pub fn parse_bool(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "on" | "yes" => Some(true),
        "0" | "false" | "off" | "no" | "" => Some(false),
        _ => None,
    }
}

/// Parses a number that consists of digits only, without a sign; `None` for other text.
pub fn parse_digits(text: &str) -> Option<i64> {
    text.parse()
        .ok()
        .filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns a date as text, such as 3 Dec 2013.
pub fn date(date: Date) -> String {
    date.strftime("%-d %b %Y").to_string()
}

/// Returns the text with its first letter in upper case.
pub fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// Returns the first `max_chars` characters, with an ellipsis if there are more.
pub fn shorten(text: &str, max_chars: usize) -> String {
    let mut short: String = text.chars().take(max_chars).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Whether the character only changes the direction of text, which can make `txt.exe` look like
/// `exe.txt`.
pub fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a terminal may act on the character instead of showing it: control characters, line
/// separators, and those that change the direction of text.
pub fn is_terminal_control(c: char) -> bool {
    c.is_control() || is_bidi_control(c) || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Returns a text that cannot forge a line or control a terminal: each such character is written as an
/// escape sequence of Rust, such as `\n` or `\u{9b}`.
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_terminal_control) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if matches!(c, '\n' | '\r' | '\t') {
            escaped.extend(c.escape_default());
        } else if is_terminal_control(c) {
            escaped.extend(c.escape_unicode());
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Whether the text is empty or white space.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// Returns the text with every line end as CRLF, as Redmine stores descriptions of issues
/// (compatibility 6.4).
pub fn with_crlf(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' => {
                rest.next_if_eq(&'\n');
                out.push_str("\r\n");
            }
            '\n' => out.push_str("\r\n"),
            other => out.push(other),
        }
    }
    out
}

/// Returns the text with every line end as LF.
pub fn with_lf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Returns the text with the line ends of another one: CRLF if that has any, or else LF. Browsers
/// send CRLF for every line, which must not look like a change.
pub fn with_line_ends_of(model: &str, text: &str) -> String {
    if model.contains("\r\n") {
        with_crlf(text)
    } else {
        with_lf(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_of_terminals_are_escaped() {
        for (text, escaped) in [
            ("äé 日本 \u{200d}'\\", "äé 日本 \u{200d}'\\"),
            ("a\nb\r\tc", r"a\nb\r\tc"),
            ("\u{1b}[2K\u{7f}\0", r"\u{1b}[2K\u{7f}\u{0}"),
            ("\u{80}\u{9b}31m\u{9f}", r"\u{80}\u{9b}31m\u{9f}"),
            ("\u{61c}\u{200e}\u{200f}", r"\u{61c}\u{200e}\u{200f}"),
            ("\u{202a}\u{202e}", r"\u{202a}\u{202e}"),
            ("\u{2066}\u{2069}", r"\u{2066}\u{2069}"),
            ("\u{2028}\u{2029}", r"\u{2028}\u{2029}"),
        ] {
            assert_eq!(escape_controls(text), escaped);
        }
    }

    #[test]
    fn line_ends_follow_another_text() {
        assert_eq!(with_line_ends_of("x", "a\r\nb\nc\r"), "a\nb\nc\n");
        assert_eq!(with_line_ends_of("x\r\n", "a\nb"), "a\r\nb");
    }

    #[test]
    fn shortened_text_ends_with_an_ellipsis() {
        assert_eq!(
            [shorten("水水水", 2), shorten("水水", 2), shorten("", 2)],
            ["水水…", "水水", ""]
        );
    }

    #[test]
    fn line_ends_become_crlf() {
        assert_eq!(with_crlf("a\nb\r\nc\rd"), "a\r\nb\r\nc\r\nd");
    }
}
