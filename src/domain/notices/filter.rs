//! The filter of an inbox: words of the search language.

use super::reasons::{Reason, Reasons};
use crate::ids::ProjectId;
use crate::index_feed::kind::Kind;

/// Maximum number of bytes of a filter.
pub const MAX_FILTER: usize = 1_000;
/// Maximum number of words of a filter.
const MAX_WORDS: usize = 30;

/// What a filter can have, for messages.
const POSSIBLE: &str = "is:, reason:, project: and type:";

/// The types of threads, as filters name them.
const TYPES: [(&str, Kind); 8] = [
    ("issue", Kind::Issue),
    ("news", Kind::News),
    ("document", Kind::Document),
    ("wiki", Kind::WikiPage),
    ("wiki_page", Kind::WikiPage),
    ("message", Kind::Message),
    ("file", Kind::Project),
    ("project", Kind::Project),
];

/// A part of an inbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InboxState {
    /// What is neither put away nor hidden until later.
    #[default]
    Open,
    /// Of these, the threads with something unread.
    Unread,
    /// Of these, the threads with nothing unread.
    Read,
    /// What is hidden until later.
    Later,
    /// What is put away.
    Done,
}

/// Which entries of an inbox are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InboxFilter {
    pub state: InboxState,
    /// Whether only muted threads are wanted.
    pub is_muted: bool,
    /// Threads of one of these types; all if empty.
    pub types: Vec<Kind>,
    /// Entries with one of these reasons; all if empty.
    pub reasons: Reasons,
    /// Entries of one of these projects; of all if `None`.
    pub projects: Option<Vec<ProjectId>>,
    /// Words in lower case that the title contains.
    pub words: Vec<String>,
    /// Entries that are not wanted.
    pub excluded: Excluded,
}

/// Which entries of an inbox are not wanted: those with one of these properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excluded {
    /// Whether muted threads are not wanted.
    pub is_muted: bool,
    pub types: Vec<Kind>,
    pub reasons: Reasons,
    pub projects: Vec<ProjectId>,
    /// Words in lower case in the title.
    pub words: Vec<String>,
}

/// A word of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterWord {
    /// The word as it was typed.
    pub text: String,
    /// Whether a minus before it excludes what it asks for.
    pub is_negated: bool,
    pub condition: Condition,
}

/// What a word of a filter asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    State(InboxState),
    Muted,
    Reason(Reason),
    Type(Kind),
    /// A project with this identifier or id.
    Project(String),
    /// The title contains this text in lower case.
    Title(String),
}

/// Parses the words of a filter.
///
/// # Errors
/// A message that names the word and what is possible in its place.
pub fn parse(text: &str) -> Result<Vec<FilterWord>, String> {
    if text.len() > MAX_FILTER {
        return Err(format!(
            "The filter is too long: at most {MAX_FILTER} bytes."
        ));
    }
    let words: Vec<FilterWord> = split(text)
        .into_iter()
        .map(|(text, quoted)| {
            let positive = text.strip_prefix('-').filter(|rest| !rest.is_empty());
            let condition = match quoted {
                Some(title) => Condition::Title(title.to_lowercase()),
                None => condition(positive.unwrap_or(&text))?,
            };
            let is_negated = positive.is_some();
            Ok(FilterWord {
                text,
                is_negated,
                condition,
            })
        })
        .collect::<Result<_, String>>()?;
    if words.len() > MAX_WORDS {
        return Err(format!("The filter has more than {MAX_WORDS} words."));
    }
    Ok(words)
}

/// Splits a filter into words; with the text between the quotes for words in quotes.
fn split(text: &str) -> Vec<(String, Option<String>)> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let minus = if rest.starts_with("-\"") { "-" } else { "" };
        let end = match rest[minus.len()..].strip_prefix('"') {
            Some(quoted) => {
                let length = quoted.find('"').unwrap_or(quoted.len());
                let title = quoted[..length].trim();
                if !title.is_empty() {
                    words.push((format!("{minus}\"{title}\""), Some(title.to_owned())));
                }
                (minus.len() + length + 2).min(rest.len())
            }
            None => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                words.push((rest[..end].to_owned(), None));
                end
            }
        };
        rest = rest[end..].trim_start();
    }
    words
}

fn condition(word: &str) -> Result<Condition, String> {
    let title = || Condition::Title(word.to_lowercase());
    let Some((name, value)) = word.split_once(':') else {
        return Ok(title());
    };
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !is_name || value.is_empty() {
        return Ok(title());
    }
    let value = value.to_lowercase();
    match name.to_ascii_lowercase().as_str() {
        "is" => match value.as_str() {
            "unread" => Ok(Condition::State(InboxState::Unread)),
            "read" => Ok(Condition::State(InboxState::Read)),
            "later" => Ok(Condition::State(InboxState::Later)),
            "done" => Ok(Condition::State(InboxState::Done)),
            "muted" => Ok(Condition::Muted),
            _ => Err(format!(
                "{word} is unknown. Possible are is:unread, is:read, is:later, is:done and is:muted."
            )),
        },
        "reason" => find_reason(&value).map(Condition::Reason).ok_or_else(|| {
            let names = Reason::ALL.iter();
            let names: Vec<String> = names
                .map(|reason| format!("reason:{}", reason.name()))
                .collect();
            format!("{word} is unknown. Possible are {}.", names.join(", "))
        }),
        "type" => {
            let known = TYPES.iter().find(|(name, _)| *name == value);
            known.map(|(_, kind)| Condition::Type(*kind)).ok_or_else(|| {
                format!(
                    "{word} is unknown. Possible are type:issue, type:news, type:document, type:wiki, type:message and type:file."
                )
            })
        }
        "project" => Ok(Condition::Project(value)),
        _ => Err(format!(
            "{name}: is unknown. A filter of the inbox can have {POSSIBLE}. Other words match the title; put those with a colon in quotes."
        )),
    }
}

fn find_reason(name: &str) -> Option<Reason> {
    match name {
        "mention" => Some(Reason::Mentioned),
        "watching" => Some(Reason::Watched),
        name => name.parse().ok(),
    }
}

impl InboxFilter {
    /// Returns the filter that these words express. Reasons, types and projects are alternatives, and
    /// each negated word excludes entries.
    /// `projects` returns the projects that a word stands for.
    ///
    /// # Errors
    /// A message if there is no such project, or if words contradict each other.
    pub fn from_words(
        words: &[FilterWord],
        projects: impl Fn(&str) -> Option<Vec<ProjectId>>,
    ) -> Result<InboxFilter, String> {
        let mut filter = InboxFilter::default();
        for word in words {
            let find = |name: &str| {
                projects(name).ok_or_else(|| {
                    format!(
                        "{} is unknown. project: needs the identifier or number of a project that you can see.",
                        word.text
                    )
                })
            };
            if word.is_negated && !matches!(word.condition, Condition::State(_)) {
                filter.excluded.add(&word.condition, find)?;
                continue;
            }
            match &word.condition {
                Condition::State(state) => {
                    let state = &if word.is_negated {
                        state.other()
                    } else {
                        *state
                    };
                    if filter.state != InboxState::Open && filter.state != *state {
                        return Err(
                            "Only one of is:unread, is:read, is:later and is:done is possible."
                                .to_owned(),
                        );
                    }
                    filter.state = *state;
                }
                Condition::Muted => filter.is_muted = true,
                Condition::Reason(reason) => filter.reasons.insert(*reason),
                Condition::Type(kind) => filter.types.push(*kind),
                Condition::Project(name) => {
                    filter.projects.get_or_insert_default().extend(find(name)?);
                }
                Condition::Title(text) => filter.words.push(text.clone()),
            }
        }
        Ok(filter)
    }
}

impl InboxState {
    /// Returns the state of the entries that are wanted if those with this one are not.
    fn other(self) -> InboxState {
        match self {
            InboxState::Unread => InboxState::Read,
            InboxState::Read => InboxState::Unread,
            InboxState::Open | InboxState::Later | InboxState::Done => InboxState::Open,
        }
    }
}

impl Excluded {
    fn add(
        &mut self,
        condition: &Condition,
        projects: impl Fn(&str) -> Result<Vec<ProjectId>, String>,
    ) -> Result<(), String> {
        match condition {
            // States are those of the filter.
            Condition::State(_) => {}
            Condition::Muted => self.is_muted = true,
            Condition::Reason(reason) => self.reasons.insert(*reason),
            Condition::Type(kind) => self.types.push(*kind),
            Condition::Project(name) => self.projects.extend(projects(name)?),
            Condition::Title(text) => self.words.push(text.clone()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(text: &str) -> Result<InboxFilter, String> {
        InboxFilter::from_words(&parse(text)?, |name| {
            (name == "open").then(|| vec![ProjectId(1), ProjectId(2)])
        })
    }

    #[test]
    fn words_of_the_search_language_are_conditions_and_others_match_the_title() {
        let expected = InboxFilter {
            state: InboxState::Unread,
            is_muted: true,
            types: vec![Kind::Issue, Kind::Project],
            reasons: Reasons::default()
                .with(Reason::Mentioned)
                .with(Reason::Assigned),
            projects: Some(vec![ProjectId(1), ProjectId(2)]),
            words: ["re:", "pump", "two words", "is:x", "3:4"]
                .map(str::to_owned)
                .to_vec(),
            excluded: Excluded::default(),
        };
        let text = " is:UNREAD Re: reason:mention reason:assigned  project:open Pump \"Two  words\" type:issue \"is:x\" 3:4 type:file is:muted \"\" ";
        let text = text.replace("Two  words", "Two words");
        assert_eq!(filter(&text), Ok(expected));
        assert_eq!(filter("  "), Ok(InboxFilter::default()));
        assert_eq!(filter("\"open end").unwrap().words, ["open end"]);
        assert_eq!(filter("is:done is:done").unwrap().state, InboxState::Done);
    }

    #[test]
    fn minus_excludes_what_a_word_asks_for() {
        let text = "-is:muted -project:open -type:news -reason:watched -Pump -\"Two words\" - x-1";
        let parsed = filter(text).unwrap();
        let expected = Excluded {
            is_muted: true,
            types: vec![Kind::News],
            reasons: Reasons::default().with(Reason::Watched),
            projects: vec![ProjectId(1), ProjectId(2)],
            words: ["pump", "two words"].map(str::to_owned).to_vec(),
        };
        assert_eq!(parsed.excluded, expected);
        assert_eq!(parsed.words, ["-", "x-1"]);
        assert!(parsed.projects.is_none() && parsed.state == InboxState::Open);
        assert_eq!(filter("-is:unread").unwrap().state, InboxState::Read);
        assert_eq!(filter("-is:read").unwrap().state, InboxState::Unread);
        assert_eq!(filter("-is:done").unwrap().state, InboxState::Open);
        assert!(filter("-project:hidden").is_err() && filter("-is:closed").is_err());
    }

    #[test]
    fn unknown_words_name_what_is_possible() {
        for (text, expected) in [
            ("is:closed", "is:unread, is:read, is:later"),
            ("reason:fun", "reason:mentioned, reason:assigned"),
            ("type:changeset", "type:issue, type:news"),
            ("project:hidden", "project:hidden is unknown"),
            ("status:open", "is:, reason:, project: and type:"),
            ("is:done is:later", "Only one of"),
        ] {
            let message = filter(text).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
        assert!(filter(&"é".repeat(501)).is_err());
        assert!(filter(&"a ".repeat(31)).is_err());
    }

    #[test]
    fn words_keep_what_was_typed() {
        let words = parse("IS:unread \"two words\"").unwrap();
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["IS:unread", "\"two words\""]);
    }
}
