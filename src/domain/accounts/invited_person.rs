//! A person to be invited, as a line of text: `ada@example.org`, `Ada Lovelace <ada@example.org>` or
//! `ada@example.org, Ada, Lovelace`. Names that the line does not have are taken from the address.

use crate::values::mail_address::{MailAddress, is_valid_address};
use crate::values::text::capitalize;

/// Maximum number of characters of a line.
const MAX_LINE: usize = 400;
/// Maximum number of characters of a name that is taken from the address.
const MAX_NAME: usize = 30;

/// A person to be invited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitedPerson {
    /// A valid mail address.
    pub mail: String,
    pub firstname: String,
    pub lastname: String,
}

impl InvitedPerson {
    /// Parses a line; `None` if it is none of the three forms. Tabs and semicolons, as spreadsheets
    /// have them, separate like commas.
    pub fn parse(line: &str) -> Option<InvitedPerson> {
        let line = line.trim().trim_end_matches([',', ';']).trim_end();
        let is_unusual = |c: char| c != '\t' && c.is_control() || is_invisible(c);
        if line.chars().count() > MAX_LINE || line.chars().any(is_unusual) {
            return None;
        }
        let (mail, names) = if line.ends_with('>') {
            let parsed = MailAddress::parse(line)?;
            let names = match parsed.name.split_once(',') {
                Some((last, first)) => (words(first), words(last)),
                None => split_name(&parsed.name),
            };
            (parsed.address, names)
        } else {
            let parts: Vec<&str> = line.split([',', ';', '\t']).map(unquoted).collect();
            let (mail, names) = match parts.as_slice() {
                [mail] => (mail, (String::new(), String::new())),
                [mail, name] => (mail, split_name(name)),
                [mail, first, last] => (mail, (words(first), words(last))),
                _ => return None,
            };
            ((*mail).to_owned(), names)
        };
        if !is_valid_address(&mail) {
            return None;
        }
        let (first, last) = names;
        let (own_first, own_last) = names_of_address(&mail);
        Some(InvitedPerson {
            mail,
            firstname: Some(first)
                .filter(|name| !name.is_empty())
                .unwrap_or(own_first),
            lastname: Some(last)
                .filter(|name| !name.is_empty())
                .unwrap_or(own_last),
        })
    }

    /// Returns the login: the part of the address before the `@`.
    pub fn login(&self) -> &str {
        self.mail
            .rsplit_once('@')
            .map_or(self.mail.as_str(), |(local_part, _)| local_part)
    }
}

/// Whether a character is invisible, or changes the direction of the text after it, so that a line
/// would not be what it looks like.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

fn unquoted(part: &str) -> &str {
    part.trim().trim_matches('"').trim()
}

/// Returns the words with single spaces between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Splits a full name: the first word is the first name.
fn split_name(name: &str) -> (String, String) {
    let name = words(name);
    match name.split_once(' ') {
        Some((first, last)) => (first.to_owned(), last.to_owned()),
        None => (name, String::new()),
    }
}

/// Returns the names that an address suggests: `ada.lovelace@example.org` is Ada Lovelace. Of a
/// single word the last name is the beginning of the domain: `ada@example.org` is Ada Example.
fn names_of_address(mail: &str) -> (String, String) {
    let (local_part, domain) = mail.rsplit_once('@').unwrap_or((mail, ""));
    let name = local_part.split('+').next().unwrap_or_default();
    let separators: &[char] = if name.contains(['.', '_']) {
        &['.', '_']
    } else {
        &['-']
    };
    let parts = name
        .split(separators)
        .map(|part| part.trim_matches(|c: char| c.is_ascii_digit() || c == '-'));
    let mut names = parts.filter(|part| !part.is_empty()).map(as_name);
    let first = names.next().unwrap_or_else(|| as_name(local_part));
    let mut last = names.collect::<Vec<_>>().join(" ");
    if last.is_empty() {
        last = as_name(domain.split('.').next().unwrap_or_default());
    }
    let shortened = |name: String| name.chars().take(MAX_NAME).collect();
    (shortened(first), shortened(last))
}

/// Returns a word as a name: `anna-lena` is Anna-Lena.
fn as_name(word: &str) -> String {
    let word = match word.chars().any(char::is_lowercase) {
        true => word.to_owned(),
        false => word.to_lowercase(),
    };
    word.split('-')
        .map(capitalize)
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Option<(String, String, String)> {
        InvitedPerson::parse(line).map(|person| (person.mail, person.firstname, person.lastname))
    }

    fn person(mail: &str, first: &str, last: &str) -> Option<(String, String, String)> {
        Some((mail.to_owned(), first.to_owned(), last.to_owned()))
    }

    #[test]
    fn line_has_an_address_with_or_without_names() {
        let ada = person("ada@example.org", "Ada", "King Lovelace");
        for line in [
            "Ada King Lovelace <ada@example.org>",
            " \"King Lovelace, Ada\"  <ada@example.org>; ",
            "ada@example.org, Ada, King Lovelace",
            "ada@example.org;Ada King  Lovelace;",
            "ada@example.org\tAda\tKing Lovelace",
            "\"ada@example.org\",\"Ada\",\"King Lovelace\"",
        ] {
            assert_eq!(parse(line), ada, "{line}");
        }
    }

    #[test]
    fn missing_names_come_from_the_address() {
        for (line, first, last) in [
            ("ada.lovelace@example.org", "Ada", "Lovelace"),
            ("ADA_LOVELACE42+new@example.org", "Ada", "Lovelace"),
            ("anna-lena.van.dam@example.org", "Anna-Lena", "Van Dam"),
            ("ada-lovelace@example.org", "Ada", "Lovelace"),
            ("ada@example.org", "Ada", "Example"),
            ("42@example.org", "42", "Example"),
            ("élodie.ümit@example.org", "Élodie", "Ümit"),
            ("Ada <ada.lovelace@example.org>", "Ada", "Lovelace"),
            ("ada.x@example.org, , Lovelace", "Ada", "Lovelace"),
        ] {
            let parsed = parse(line).unwrap();
            assert_eq!(
                (parsed.1.as_str(), parsed.2.as_str()),
                (first, last),
                "{line}"
            );
        }
        let long = format!("{}@example.org", "a".repeat(64));
        assert_eq!(parse(&long).unwrap().1.chars().count(), MAX_NAME);
    }

    #[test]
    fn other_lines_are_no_person() {
        for line in [
            "",
            "Ada",
            "ada@",
            "Ada Lovelace ada@example.org",
            "a@example.org, b@example.org, c, d",
            "<script>@example.org",
            "Ada <ada@example.org> <b@example.org>x",
            "ada@example.org\0",
            "Ada\rBcc: x <ada@example.org>",
            "\u{202E}Ada <ada@example.org>",
            &format!("{} <ada@example.org>", "x".repeat(MAX_LINE)),
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
