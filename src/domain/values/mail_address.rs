//! A mail address with a name.

use std::fmt;

/// Maximum number of characters of an address (RFC 5321, 4.5.3.1).
const MAX_ADDRESS: usize = 254;
/// Maximum number of characters of a name.
const MAX_NAME: usize = 200;

/// A mail address, with the name of its owner if it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailAddress {
    /// The name; empty for none.
    pub name: String,
    /// The address, such as `alice@example.org`.
    pub address: String,
}

impl MailAddress {
    /// Creates an address. Control characters in the name become spaces.
    pub fn new(name: &str, address: &str) -> MailAddress {
        let name: String = name
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(MAX_NAME)
            .collect();
        MailAddress {
            name: name.trim().to_owned(),
            address: address.trim().to_owned(),
        }
    }

    /// Parses `alice@example.org` or `Alice <alice@example.org>`.
    pub fn parse(text: &str) -> Option<MailAddress> {
        let text = text.trim();
        let (name, address) = match text
            .strip_suffix('>')
            .and_then(|text| text.rsplit_once('<'))
        {
            Some((name, address)) => (name.trim().trim_matches('"').trim(), address),
            None => ("", text),
        };
        let is_valid = is_valid_address(address) && !name.chars().any(char::is_control);
        is_valid.then(|| MailAddress::new(name, address))
    }

    /// Returns the part of the address after the `@`.
    pub fn domain(&self) -> &str {
        self.address
            .rsplit_once('@')
            .map_or("", |(_, domain)| domain)
    }
}

impl fmt::Display for MailAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.is_empty() {
            return formatter.write_str(&self.address);
        }
        write!(formatter, "{} <{}>", self.name, self.address)
    }
}

/// Whether mail can be sent to an address: one line, one `@`, a part on each side of it, and nothing
/// that would have to be quoted, such as a dot at the beginning.
pub fn is_valid_address(address: &str) -> bool {
    let Some((local_part, domain)) = address.rsplit_once('@') else {
        return false;
    };
    let is_part = |part: &str| {
        part.split('.').all(|atom| !atom.is_empty())
            && part
                .chars()
                .all(|c| !c.is_control() && !c.is_whitespace() && !"<>()[]\\,;:\"@".contains(c))
    };
    address.chars().count() <= MAX_ADDRESS
        && is_part(local_part)
        && is_part(domain)
        && !local_part.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_has_an_optional_name() {
        let parsed = |text| MailAddress::parse(text).map(|address| (address.name, address.address));
        let pair = |name: &str, address: &str| Some((name.to_owned(), address.to_owned()));
        assert_eq!(parsed(" a@example.org "), pair("", "a@example.org"));
        assert_eq!(
            parsed("Ann Lee <a@example.org>"),
            pair("Ann Lee", "a@example.org")
        );
        assert_eq!(
            parsed("\"Lee, Ann\" <a@example.org>"),
            pair("Lee, Ann", "a@example.org")
        );
        for wrong in [
            "",
            "a",
            "@b",
            "a@",
            "a b@c",
            "a@b@c",
            "a@b\r\nBcc: c@d",
            "x\ny <a@b>",
            "<a@b",
            "-f@b",
            "a,b@c",
            "a..b@c",
            ".a@c",
            "a@c.",
        ] {
            assert_eq!(parsed(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn names_stay_on_one_line() {
        let address = MailAddress::new("Ann\r\nBcc: c@d", "a@b");
        assert_eq!(address.name, "Ann  Bcc: c@d");
    }
}
