//! Character sets, and texts without control characters.

use mail_parser::decoders::charsets::map::charset_decoder;

/// Decodes bytes in this character set. Without a known one they are UTF-8 or else Windows-1252.
pub fn decode(bytes: &[u8], charset: Option<&str>) -> String {
    let charset = charset.map(str::trim).unwrap_or_default();
    let is_utf8 = ["", "utf-8", "utf8", "us-ascii", "ascii"]
        .iter()
        .any(|name| charset.eq_ignore_ascii_case(name));
    let decoder = if is_utf8 {
        None
    } else {
        charset_decoder(charset.as_bytes())
    };
    match (decoder, std::str::from_utf8(bytes)) {
        (Some(decode), _) => decode(bytes),
        (None, Ok(text)) => text.to_owned(),
        (None, Err(_)) => match charset_decoder(b"windows-1252") {
            Some(decode) => decode(bytes),
            None => String::from_utf8_lossy(bytes).into_owned(),
        },
    }
}

/// Returns a text with `\n` as line breaks, without a byte order mark and other control characters.
pub fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                if chars.peek() != Some(&'\n') {
                    cleaned.push('\n');
                }
            }
            '\n' | '\t' => cleaned.push(c),
            '\u{a0}' => cleaned.push(' '),
            '\u{feff}' => {}
            c if c.is_control() => {}
            c => cleaned.push(c),
        }
    }
    cleaned
}

/// Returns the first characters of a text as one line.
pub fn line(text: &str, max: usize) -> String {
    let chars = text.chars().take(max);
    chars
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// Cuts a text after this number of bytes, at the beginning of a character.
pub fn truncate(mut text: String, max: usize) -> String {
    if text.len() > max {
        text.truncate(text.floor_char_boundary(max));
        text.push_str("\n…");
    }
    text
}
