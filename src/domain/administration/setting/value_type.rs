//! What settings accept.

use crate::content::incoming_mail::{MAX_REPLY_LOCAL_PART, is_reply_address};
/// What [`ValueType::Host`] expects.
const HOST_EXPECTED: &str =
    "must be a host name with an optional port and path, such as example.net:8080/quarry";

/// The permitted values of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// `1` or `0`.
    Bool,
    /// An integer between the bounds, inclusive.
    Integer(i64, i64),
    /// One line of text of at most this many characters.
    Line(usize),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Words separated by commas, such as ids or names. The YAML lists of Redmine are accepted too.
    List,
    /// A host name with an optional port and path, or nothing.
    Host,
    /// Lines of text, together of at most this many characters.
    Lines(usize),
    /// One line of text of at most this many characters that nobody shall learn from a log.
    Secret(usize),
    /// A mail address to which words are added before its `@`, or nothing.
    ReplyAddress,
    /// What keywords in commit messages change in issues; see
    /// [`crate::projects::update_rules`].
    UpdateRules,
}

impl ValueType {
    /// Validates a value, and returns it as it is stored.
    ///
    /// # Errors
    /// What is expected.
    pub fn accept(self, value: &str) -> Result<String, String> {
        let value = value.trim();
        let expected = |message: String| Err(message);
        match self {
            ValueType::Bool => match crate::values::text::parse_bool(value) {
                Some(on) => Ok(if on { "1" } else { "0" }.to_owned()),
                None => expected("must be 1 or 0".to_owned()),
            },
            ValueType::Integer(from, to) => match value.parse::<i64>() {
                Ok(number) if (from..=to).contains(&number) => Ok(number.to_string()),
                _ => expected(format!("must be a whole number from {from} to {to}")),
            },
            ValueType::Choice(words) if words.contains(&value) => Ok(value.to_owned()),
            ValueType::Choice(words) => expected(format!("must be one of {}", words.join(", "))),
            ValueType::List => {
                let words: Vec<&str> = value
                    .split([',', '\n'])
                    .map(strip_yaml)
                    .filter(|word| !word.is_empty())
                    .collect();
                if words.len() <= 1000 && words.iter().all(|word| is_keyword(word)) {
                    Ok(words.join(","))
                } else {
                    expected("must be words separated by commas".to_owned())
                }
            }
            ValueType::Host => match value.trim_end_matches('/') {
                host if host.is_empty() || is_host(host) => Ok(host.to_owned()),
                _ => expected(HOST_EXPECTED.to_owned()),
            },
            ValueType::UpdateRules => match crate::projects::update_rules::parse(value) {
                Ok(rules) => Ok(crate::projects::update_rules::to_text(&rules)),
                Err(message) => expected(message.to_string()),
            },
            ValueType::ReplyAddress => match value.to_ascii_lowercase() {
                address if is_reply_address(&address) => Ok(address),
                _ => expected(format!(
                    "must be a mail address such as reply@example.net, with at most {MAX_REPLY_LOCAL_PART} letters, digits, dots, hyphens and underscores before the @"
                )),
            },
            ValueType::Lines(max) => {
                let text = value.replace("\r\n", "\n");
                if text.chars().count() <= max && !text.chars().any(|c| c.is_control() && c != '\n')
                {
                    Ok(text)
                } else {
                    expected(format!(
                        "must be lines of together at most {max} characters"
                    ))
                }
            }
            ValueType::Line(max) | ValueType::Secret(max) => {
                if value.chars().count() <= max && !value.chars().any(char::is_control) {
                    Ok(value.to_owned())
                } else {
                    expected(format!("must be one line of at most {max} characters"))
                }
            }
        }
    }
}

/// Whether the word can be a keyword of commit messages.
fn is_keyword(word: &str) -> bool {
    word.chars().count() <= 100 && !word.chars().any(|c| c.is_control() || c.is_whitespace())
}

/// Whether the text is a host name or an IP address (IPv6 in brackets), with an optional port and
/// path.
fn is_host(text: &str) -> bool {
    let (authority, path) = text
        .find('/')
        .map_or((text, ""), |slash| text.split_at(slash));
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let address = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    text.len() <= 255
        && address.map_or_else(
            || is_host_name(host),
            |address| address.parse::<std::net::Ipv6Addr>().is_ok(),
        )
        && port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0))
        && path
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/.-_~%".contains(&byte))
}

fn is_host_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
}

/// Returns the item in a line of a YAML list; any other text unchanged.
fn strip_yaml(word: &str) -> &str {
    let word = word.trim();
    let word = if word == "---" || word == "--- []" || word == "[]" {
        ""
    } else {
        word.strip_prefix("- ").unwrap_or(word).trim()
    };
    word.trim_matches(['\'', '"'])
}
