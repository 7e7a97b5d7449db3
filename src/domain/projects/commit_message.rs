//! References to issues in commit messages, such as `refs #12` and `fixes #12 @2h30, #13`
//! (compatibility 13.3).

use crate::issues::hours;

/// Maximum number of references in a message; further ones are ignored.
const MAX_REFERENCES: usize = 100;
/// Maximum number of `#` in a message that are looked at.
const MAX_CANDIDATES: usize = 10_000;
/// The keyword that stands for none: with it every `#12` is a reference.
const ANY: &str = "*";
/// Maximum number of characters of spent time.
const MAX_TIME_CHARS: usize = 20;

/// A reference to an issue.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The id of the issue, which may not exist.
    pub issue: i64,
    /// The keyword in lower case; `None` without one.
    pub keyword: Option<String>,
    /// The spent time in hours.
    pub hours: Option<f64>,
}

/// Returns the references in their order. Only those with one of the keywords count, unless `*` is
/// one of them. A keyword stands for all issues of a list that follows it.
pub fn references(message: &str, keywords: &[String]) -> Vec<Reference> {
    let accepts_any = keywords.iter().any(|keyword| keyword == ANY);
    let mut references: Vec<Reference> = Vec::new();
    let mut end: usize = 0;
    let mut listed: Option<Option<String>> = None;
    for (start, _) in message.match_indices('#').take(MAX_CANDIDATES) {
        if start < end || references.len() == MAX_REFERENCES {
            continue;
        }
        let Some((issue, after)) = parse_id(message, start) else {
            continue;
        };
        let gap = &message[end..start];
        let continues =
            || !gap.is_empty() && gap.chars().all(|c| c.is_whitespace() || ",;&".contains(c));
        let keyword = match listed.take().filter(|_| continues()) {
            Some(keyword) => Some(keyword),
            None => match keyword_before(gap, keywords) {
                Some(keyword) => Some(Some(keyword)),
                None => starts_word(gap, end == 0)
                    .then_some(None)
                    .filter(|_| accepts_any),
            },
        };
        let Some(keyword) = keyword else { continue };
        let (hours, after) = parse_time(message, after);
        references.push(Reference {
            issue,
            keyword: keyword.clone(),
            hours,
        });
        (end, listed) = (after, Some(keyword));
    }
    references
}

/// Parses the digits after the `#` at `start`. Returns the id and where it ends; `None` if a word
/// goes on there.
fn parse_id(message: &str, start: usize) -> Option<(i64, usize)> {
    let rest = &message[start + 1..];
    let len = rest.bytes().take_while(u8::is_ascii_digit).count();
    let goes_on = rest[len..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    rest[..len]
        .parse()
        .ok()
        .filter(|_| !goes_on)
        .map(|id| (id, start + 1 + len))
}

/// Returns the keyword at the end of the text, which white space or a colon separates from what
/// follows.
fn keyword_before(text: &str, keywords: &[String]) -> Option<String> {
    let trimmed = text.trim_end_matches(|c: char| c.is_whitespace() || c == ':');
    if trimmed.len() == text.len() {
        return None;
    }
    keywords
        .iter()
        .filter(|keyword| keyword.as_str() != ANY)
        .find(|keyword| ends_with_keyword(trimmed, keyword))
        .cloned()
}

fn ends_with_keyword(trimmed: &str, keyword: &str) -> bool {
    let start = trimmed
        .char_indices()
        .rev()
        .nth(keyword.chars().count().saturating_sub(1))
        .map(|(start, _)| start);
    start.is_some_and(|start| {
        trimmed[start..].to_lowercase() == keyword && starts_word(&trimmed[..start], true)
    })
}

/// Whether a word can start after this text. `at_start` tells whether it can without any text.
fn starts_word(before: &str, at_start: bool) -> bool {
    before
        .chars()
        .next_back()
        .map_or(at_start, |c| c.is_whitespace() || "([,-;&:".contains(c))
}

/// Parses ` @2h30` at this position. Returns the hours and where they end.
fn parse_time(message: &str, position: usize) -> (Option<f64>, usize) {
    let rest = &message[position..];
    let Some(time) = rest
        .trim_start()
        .strip_prefix('@')
        .filter(|_| rest.starts_with(char::is_whitespace))
    else {
        return (None, position);
    };
    let len = time
        .bytes()
        .take(MAX_TIME_CHARS)
        .take_while(|byte| is_time_part(char::from(*byte)))
        .count();
    let text = time[..len].trim_end_matches([':', '.', ',']);
    let start = message.len() - time.len();
    match hours::parse(text) {
        Some(hours) if hours > 0.0 => (Some(hours), start + text.len()),
        _ => (None, position),
    }
}

fn is_time_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || ":.,".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keywords(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn parse(message: &str, words: &[&str]) -> Vec<String> {
        references(message, &keywords(words))
            .into_iter()
            .map(to_text)
            .collect()
    }

    fn to_text(reference: Reference) -> String {
        let hours = reference
            .hours
            .map_or(String::new(), |hours| format!(" {hours}"));
        format!(
            "{}{}{hours}",
            reference
                .keyword
                .map_or(String::new(), |keyword| format!("{keyword} ")),
            reference.issue
        )
    }

    #[test]
    fn keyword_stands_for_the_issues_of_a_list() {
        for (message, expected) in [
            ("refs #1", vec!["refs 1"]),
            (
                "Fixes: #1, #2 & #3; #4",
                vec!["fixes 1", "fixes 2", "fixes 3", "fixes 4"],
            ),
            ("refs #1 and then fixes #2", vec!["refs 1", "fixes 2"]),
            ("(refs #1) #2", vec!["refs 1"]),
            (
                "fixes #1 @2h30, #2 @1:30 done",
                vec!["fixes 1 2.5", "fixes 2 1.5"],
            ),
            ("fixes #1 @2h30.", vec!["fixes 1 2.5"]),
            ("fixes #1 @never", vec!["fixes 1"]),
            ("fixes #1@2h", vec!["fixes 1"]),
            ("ÄÖ refs\n#1", vec!["refs 1"]),
            (
                "refs #12abc, prefs #3, refs#4, #5, refs 6, refs #, refs #99999999999999999999",
                vec![],
            ),
        ] {
            assert_eq!(parse(message, &["refs", "fixes"]), expected, "{message}");
        }
    }

    #[test]
    fn star_accepts_references_without_a_keyword() {
        for (message, expected) in [
            (
                "#1: see also #2 (#3) and fixes #4",
                vec!["1", "2", "3", "fixes 4"],
            ),
            ("a#1 http://example.net/#2 [#3]", vec!["3"]),
        ] {
            assert_eq!(parse(message, &["*", "fixes"]), expected, "{message}");
        }
    }

    #[test]
    fn number_of_references_is_bounded() {
        assert_eq!(
            references(&"refs #1 ".repeat(1000), &keywords(&["refs"])).len(),
            MAX_REFERENCES
        );
        let late = format!("{}refs #1", "# ".repeat(MAX_CANDIDATES));
        assert_eq!(references(&late, &keywords(&["refs"])), []);
    }

    proptest! {
        #![proptest_config(proptest::test_runner::Config::default())]

        #[test]
        fn every_message_can_be_parsed(message in "[#@ 0-9a-zäß,:;&h(\n]{0,60}|.{0,60}") {
            for reference in references(&message, &keywords(&["*", "refs", "ß"])) {
                let id = format!("#{}", reference.issue);
                prop_assert!(message.contains('#') && (message.contains(&id) || message.contains("#0")));
            }
        }
    }
}
