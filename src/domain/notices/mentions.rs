//! Mentions: `@login` and `@"full name"` in texts.

use crate::catalogue::Catalogue;
use crate::ids::UserId;
use std::collections::HashSet;

/// Maximum number of users whom a text can mention; further ones are ignored.
pub const MAX_MENTIONS: usize = 50;
/// Maximum number of different names of a text that are looked up; further ones are ignored.
const MAX_LOOKUPS: usize = 200;
/// Maximum length of a name in bytes.
const MAX_NAME: usize = 255;

/// Returns the active users whom a text mentions, in the order of the text, each once. Names
/// in code and in quotes are ignored: who quotes a text does not call its people again. A full name
/// that several users share mentions none of them.
pub fn mentioned_users(catalogue: &Catalogue, text: &str) -> Vec<UserId> {
    let mut users = Vec::new();
    // Most texts mention nobody.
    if !text.contains('@') {
        return users;
    }
    let mut names = names(text);
    let mut seen = HashSet::new();
    names.retain(|name| seen.len() < MAX_LOOKUPS && seen.insert(name.clone()));
    for name in names {
        let user = match name {
            Name::Login(login) => catalogue.user_by_login(login),
            Name::Full(name) => catalogue.user_by_full_name(name),
        };
        let user = user.map(|user| user.id);
        let active = user.filter(|user| catalogue.is_active(*user));
        if let Some(user) = active.filter(|user| !users.contains(user)) {
            users.push(user);
            if users.len() == MAX_MENTIONS {
                break;
            }
        }
    }
    users
}

/// Returns the active users whom an edited text mentions and did not mention before.
pub fn added_mentions(
    catalogue: &Catalogue,
    before: Option<&str>,
    after: Option<&str>,
) -> Vec<UserId> {
    let [before, mut after] =
        [before, after].map(|text| mentioned_users(catalogue, text.unwrap_or_default()));
    after.retain(|user| !before.contains(user));
    after
}

/// A name after `@`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Name<'t> {
    Login(&'t str),
    Full(&'t str),
}

/// Returns the names after `@`, outside code and quotes.
fn names(text: &str) -> Vec<Name<'_>> {
    let mut names = Vec::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let start = without_list_marks(line);
        match fence {
            Some(end) => {
                if start.starts_with(end) {
                    fence = None;
                }
            }
            None if start.starts_with('>') || start.starts_with("bq. ") => {}
            None => match ["```", "~~~", "<pre"]
                .iter()
                .find(|mark| start.starts_with(**mark))
            {
                Some(&"<pre") if start.contains("</pre>") => {}
                Some(&"<pre") => fence = Some("</pre>"),
                Some(mark) => fence = Some(*mark),
                None => names_in_line(line, &mut names),
            },
        }
    }
    names
}

/// Returns a line without what marks it as an item of a list, such as `1. ` or `* `.
fn without_list_marks(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let mark = if digits.len() < rest.len() {
            digits.strip_prefix(['.', ')'])
        } else {
            rest.strip_prefix(['-', '*', '+', '#'])
        };
        match mark.and_then(|rest| rest.strip_prefix(' ')) {
            Some(item) => rest = item.trim_start(),
            None => return rest,
        }
    }
}

fn names_in_line<'t>(line: &'t str, names: &mut Vec<Name<'t>>) {
    let mut rest = line;
    let mut before: Option<char> = None;
    while let Some(at) = rest.find(['@', '`']) {
        before = rest[..at].chars().next_back().or(before);
        let is_code = rest[at..].starts_with('`');
        rest = &rest[at + 1..];
        if is_code {
            // Code ends with the next backtick; without one, the rest is text.
            if let Some(end) = rest.find('`') {
                rest = &rest[end + 1..];
            }
            before = Some('`');
            continue;
        }
        let starts_word = before.is_none_or(|c| {
            !c.is_alphanumeric() && !matches!(c, '_' | '@' | '.' | '/' | '-' | '=' | '\\')
        });
        before = Some('@');
        if !starts_word {
            continue;
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"').filter(|end| (1..=MAX_NAME).contains(end));
            names.extend(end.map(|end| Name::Full(&quoted[..end])));
            continue;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '@'));
        let login = rest[..end.unwrap_or(rest.len())].trim_end_matches(['.', '-', '@']);
        let is_login = login.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if is_login && login.len() <= MAX_NAME {
            names.push(Name::Login(login));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logins(text: &str) -> Vec<&str> {
        let names = names(text).into_iter();
        names
            .map(|name| match name {
                Name::Login(login) => login,
                Name::Full(name) => name,
            })
            .collect()
    }

    #[test]
    fn logins_follow_an_at_sign_that_begins_a_word() {
        assert_eq!(
            logins("@alice, (@bob.smith) and @carol-1. Not me@example.net or a@b"),
            ["alice", "bob.smith", "carol-1"]
        );
        assert_eq!(logins("@ @. @@alice"), Vec::<&str>::new());
    }

    #[test]
    fn names_in_quotes_may_have_spaces() {
        assert_eq!(logins("Ask @\"Alice Tester\"!"), ["Alice Tester"]);
        assert_eq!(logins("@\"never closed"), Vec::<&str>::new());
    }

    #[test]
    fn code_mentions_nobody() {
        assert_eq!(
            logins("`@code` @a\n```\n@fenced\n```\n@b\n<pre>\n@pre\n</pre>\n@c ` @d"),
            ["a", "b", "c", "d"]
        );
        assert_eq!(logins("1. ```\n@fenced\n```\n* @a\n- > @quoted"), ["a"]);
    }

    #[test]
    fn quotes_and_addresses_mention_nobody() {
        assert_eq!(
            logins("> @quoted said\n>> @twice\nbq. @textile\n@a > @b"),
            ["a", "b"]
        );
        assert_eq!(logins("\\@escaped http://x/?a=@address (@c)"), ["c"]);
    }
}
