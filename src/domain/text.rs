//! Small rules about text that several nouns share.

/// What `1`, `true`, `on`, `yes` and `0`, `false`, `off`, `no` say (compatibility 2.1); `None` for anything else.
pub fn parse_bool(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "on" | "yes" => Some(true),
        "0" | "false" | "off" | "no" | "" => Some(false),
        _ => None,
    }
}

/// The number that digits alone say; `None` for anything else, a sign too.
pub fn parse_digits(text: &str) -> Option<i64> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether there is nothing to read in it.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// The text with every line end as CRLF: how descriptions of issues are kept (compatibility 6.4).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_become_crlf_once() {
        assert_eq!(with_crlf("a\nb\r\nc\rd"), "a\r\nb\r\nc\r\nd");
    }
}
