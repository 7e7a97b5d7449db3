//! The language of questions: words, `"phrases"`, `begin*`, `-without`, `one OR other`, and qualifiers such as `is:open`.
//!
//! A text is cut into items without knowing what they mean; `narrow` gives qualifiers their meaning. Whatever is no qualifier is
//! searched as words, so that addresses, paths and error messages can be asked for as they are.

use super::query::is_space;
use crate::domain::nearest::distance;
use std::fmt;

/// One piece of a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// Whether it must not be found.
    pub negated: bool,
    /// Whether it or the one before it will do.
    pub or: bool,
    /// What it is.
    pub said: Said,
    /// Where it begins, in characters from 1.
    pub at: usize,
}

/// What a piece of a question says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Said {
    /// A word as typed, `*` at its end included.
    Word(String),
    /// What stood in double quotes.
    Phrase(String),
    /// A qualifier and its value, without quotes.
    Qualifier(Qualifier, String),
}

macro_rules! qualifiers {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $expects:literal;)*) => {
        /// What a question can be narrowed by.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Qualifier { $($(#[$doc])* $variant),* }

        impl Qualifier {
            /// Every one.
            pub const ALL: &[Qualifier] = &[$(Qualifier::$variant),*];

            /// How it is written, without the colon.
            pub fn name(self) -> &'static str {
                match self { $(Qualifier::$variant => $name),* }
            }

            /// What its value may be, for messages.
            pub fn expects(self) -> &'static str {
                match self { $(Qualifier::$variant => $expects),* }
            }
        }
    };
}

qualifiers! {
    /// Open and closed issues.
    Is = "is", "open or closed";
    /// Content types.
    Type = "type", "issue, wiki, news, document, changeset, message or project";
    /// A project with those below it.
    Project = "project", "the identifier or number of a project that you can see";
    /// Who wrote it.
    Author = "author", "a login, or me";
    /// To whom it is assigned.
    Assignee = "assignee", "a login, me, or none";
    /// The status of an issue.
    Status = "status", "the name of a status";
    /// The tracker of an issue.
    Tracker = "tracker", "the name of a tracker";
    /// The priority of an issue.
    Priority = "priority", "the name of a priority";
    /// The version for which an issue is planned.
    Version = "version", "the name of a version that you can see, or none";
    /// The category of an issue.
    Category = "category", "the name of a category that you can see, or none";
    /// When it was made.
    Created = "created", "a day such as 2024-01-31, with >=, >, <= or < before it, or two with .. between them";
    /// When it was last changed.
    Updated = "updated", "a day such as 2024-01-31, with >=, >, <= or < before it, or two with .. between them";
    /// What hangs on it.
    Has = "has", "attachment";
    /// Where words must stand.
    In = "in", "title";
}

impl Qualifier {
    /// The qualifier that is written so.
    pub fn parse(name: &str) -> Option<Qualifier> {
        Self::ALL.iter().copied().find(|qualifier| qualifier.name() == name)
    }

    /// The qualifier that was probably meant by a name of at least five letters of which one or two are wrong.
    fn probably(name: &str) -> Option<Qualifier> {
        let near = |qualifier: &Qualifier| name.len() >= 5 && qualifier.name().len() >= 5 && distance(name, qualifier.name()) <= 2;
        Self::ALL.iter().copied().find(near)
    }
}

/// A qualifier cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("q is invalid at character {at}: {said} – {problem}; to search for the text itself put it in double quotes")]
pub struct Malformed {
    /// Where it begins, in characters from 1.
    pub at: usize,
    /// The piece as it was written.
    pub said: String,
    /// What is wrong and what was expected.
    pub problem: String,
}

/// Cuts a question into its items. Fails when a qualifier has no value or is written almost as one is.
pub fn items(text: &str) -> Result<Vec<Item>, Malformed> {
    let letters: Vec<char> = text.chars().collect();
    let (mut items, mut at, mut or) = (Vec::new(), 0, false);
    while at < letters.len() {
        if is_space(letters[at]) {
            at += 1;
            continue;
        }
        let begin = at;
        let negated = letters[at] == '-' && letters.get(at + 1).is_some_and(|next| !is_space(*next) && *next != '-');
        at += usize::from(negated);
        if is_quote(letters[at]) {
            let end = (at + 1..letters.len()).find(|place| is_quote(letters[*place])).unwrap_or(letters.len());
            let phrase: String = letters[at + 1..end].iter().collect();
            at = (end + 1).min(letters.len());
            items.push(Item { negated, or: std::mem::take(&mut or), said: Said::Phrase(phrase), at: begin + 1 });
            continue;
        }
        let end = (at..letters.len()).find(|place| is_space(letters[*place]) || is_quote(letters[*place])).unwrap_or(letters.len());
        let word: String = letters[at..end].iter().collect();
        let quoted = letters.get(end).is_some_and(|next| is_quote(*next));
        at = end;
        if word == "OR" && !negated && !items.is_empty() && letters[end..].iter().any(|letter| !is_space(*letter)) {
            or = true;
            continue;
        }
        let said = match qualifier(&word, quoted).map_err(|problem| Malformed { at: begin + 1, said: word.clone(), problem })? {
            Some((qualifier, value)) if value.is_empty() && quoted => {
                let close = (end + 1..letters.len()).find(|place| is_quote(letters[*place])).unwrap_or(letters.len());
                at = (close + 1).min(letters.len());
                Said::Qualifier(qualifier, letters[end + 1..close].iter().collect())
            }
            Some((qualifier, value)) => Said::Qualifier(qualifier, value),
            None => Said::Word(word),
        };
        items.push(Item { negated, or: std::mem::take(&mut or), said, at: begin + 1 });
    }
    Ok(items)
}

/// The qualifier that a word is, with the value that follows its colon. `quoted` says that a quotation follows at once.
fn qualifier(word: &str, quoted: bool) -> Result<Option<(Qualifier, String)>, String> {
    let Some((name, value)) = word.split_once(':') else { return Ok(None) };
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase());
    if !plain || value.starts_with([':', '/', '\\']) {
        return Ok(None);
    }
    match Qualifier::parse(name) {
        Some(qualifier) if value.is_empty() && !quoted => Err(format!("{name}: expects {}", qualifier.expects())),
        Some(qualifier) => Ok(Some((qualifier, value.to_owned()))),
        None => match Qualifier::probably(name) {
            Some(meant) if !value.is_empty() || quoted => Err(format!("there is no qualifier {name}:, did you mean {}:?", meant.name())),
            _ => Ok(None),
        },
    }
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '“' | '”' | '„')
}

/// The item as it can be typed again.
impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.or {
            f.write_str("OR ")?;
        }
        if self.negated {
            f.write_str("-")?;
        }
        match &self.said {
            Said::Word(word) => f.write_str(word),
            Said::Phrase(phrase) => write!(f, "\"{phrase}\""),
            Said::Qualifier(qualifier, value) => write!(f, "{}:\"{value}\"", qualifier.name()),
        }
    }
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod tests;
