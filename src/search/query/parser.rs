//! The query language: words, `"phrases"`, `prefix*`, `-excluded`, `one OR other`, and qualifiers
//! such as `is:open`.
//!
//! Tokens have no meaning yet: `qualifiers` resolves the values of qualifiers. Whatever is not a
//! qualifier is searched as words, so that addresses, paths and error messages can be searched as
//! they are.

use quarry_domain::values::edit_distance::distance;
use std::fmt;

/// A token of a query.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// Whether it must not match.
    pub negated: bool,
    /// Whether it is an alternative to the token before it.
    pub or: bool,
    /// Its kind and text.
    pub kind: TokenKind,
    /// Its position in the text, in characters from 1.
    pub position: usize,
}

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A word as typed, including a `*` at its end.
    Word(String),
    /// The text in double quotes.
    Phrase(String),
    /// A qualifier and its value, without quotes.
    Qualifier(Qualifier, String),
}

macro_rules! qualifiers {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $expects:literal;)*) => {
        /// A qualifier, which narrows a search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Qualifier { $($(#[$doc])* $variant),* }

        impl Qualifier {
            /// All qualifiers.
            pub const ALL: &[Qualifier] = &[$(Qualifier::$variant),*];

            /// Returns its name, without the colon.
            pub fn name(self) -> &'static str {
                match self { $(Qualifier::$variant => $name),* }
            }

            /// Returns what its value may be, for messages.
            pub fn expects(self) -> &'static str {
                match self { $(Qualifier::$variant => $expects),* }
            }
        }
    };
}

qualifiers! {
    /// Open or closed issues.
    Is = "is", "open or closed";
    /// The content type.
    Type = "type", "issue, wiki, news, document, changeset, message or project";
    /// A project and its subprojects.
    Project = "project", "the identifier or number of a project that you can see";
    /// The author.
    Author = "author", "a login, a name, or me";
    /// The assignee of an issue.
    Assignee = "assignee", "a login, a name, me, or none";
    /// The status of an issue.
    Status = "status", "the name of a status";
    /// The tracker of an issue.
    Tracker = "tracker", "the name of a tracker";
    /// The priority of an issue.
    Priority = "priority", "the name of a priority";
    /// The target version of an issue.
    Version = "version", "the name of a version that you can see, or none";
    /// The category of an issue.
    Category = "category", "the name of a category that you can see, or none";
    /// The date of creation.
    Created = "created", "a day such as 2024-01-31, with >=, >, <= or < before it, or two with .. between them";
    /// The date of the last change.
    Updated = "updated", "a day such as 2024-01-31, with >=, >, <= or < before it, or two with .. between them";
    /// What is attached.
    Has = "has", "attachment";
    /// Where the words must be.
    In = "in", "title";
}

impl Qualifier {
    /// Returns the qualifier with this name.
    pub fn parse(name: &str) -> Option<Qualifier> {
        Self::ALL
            .iter()
            .copied()
            .find(|qualifier| qualifier.name() == name)
    }

    /// Returns the qualifier that was probably meant by a name of at least five letters with one or
    /// two edits.
    pub(super) fn nearest(name: &str) -> Option<Qualifier> {
        let long = Self::ALL
            .iter()
            .copied()
            .filter(|qualifier| name.len().min(qualifier.name().len()) >= 5);
        let mut near = long.filter(|qualifier| distance(name, qualifier.name()) <= 2);
        near.next()
    }
}

/// A query that cannot be parsed. `Display` begins after the subject of the sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "is invalid at character {position}: {text} – {problem}; to search for the text itself put it in double quotes"
)]
pub struct ParseError {
    /// The position of the token in the text, in characters from 1.
    pub position: usize,
    /// The token as it was typed.
    pub text: String,
    /// What is wrong and what was expected.
    pub problem: String,
}

/// Splits a query into tokens. Fails if a qualifier has no value, or if a word looks like a
/// misspelled qualifier.
pub fn tokenize(text: &str) -> Result<Vec<Token>, ParseError> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut or = false;
    while at < letters.len() {
        if is_space(letters[at]) {
            at += 1;
            continue;
        }
        let start = at;
        let negated = letters[at] == '-'
            && letters
                .get(at + 1)
                .is_some_and(|next| !is_space(*next) && *next != '-');
        at += usize::from(negated);
        if is_quote(letters[at]) {
            let end = (at + 1..letters.len())
                .find(|index| is_quote(letters[*index]))
                .unwrap_or(letters.len());
            let phrase: String = letters[at + 1..end].iter().collect();
            at = (end + 1).min(letters.len());
            tokens.push(Token {
                negated,
                or: std::mem::take(&mut or),
                kind: TokenKind::Phrase(phrase),
                position: start + 1,
            });
            continue;
        }
        let end = (at..letters.len())
            .find(|index| is_space(letters[*index]) || is_quote(letters[*index]))
            .unwrap_or(letters.len());
        let word: String = letters[at..end].iter().collect();
        let quoted = letters.get(end).is_some_and(|next| is_quote(*next));
        at = end;
        if word == "OR"
            && !negated
            && !tokens.is_empty()
            && letters[end..].iter().any(|letter| !is_space(*letter))
        {
            or = true;
            continue;
        }
        let kind = match qualifier(&word, quoted).map_err(|problem| ParseError {
            position: start + 1,
            text: word.clone(),
            problem,
        })? {
            Some((qualifier, value)) if value.is_empty() && quoted => {
                let close = (end + 1..letters.len())
                    .find(|index| is_quote(letters[*index]))
                    .unwrap_or(letters.len());
                at = (close + 1).min(letters.len());
                TokenKind::Qualifier(qualifier, letters[end + 1..close].iter().collect())
            }
            Some((qualifier, value)) => TokenKind::Qualifier(qualifier, value),
            None => TokenKind::Word(word),
        };
        tokens.push(Token {
            negated,
            or: std::mem::take(&mut or),
            kind,
            position: start + 1,
        });
    }
    Ok(tokens)
}

/// Parses a word as a qualifier with the value after its colon; `None` for other words. `quoted`
/// tells that a quote follows immediately.
fn qualifier(word: &str, quoted: bool) -> Result<Option<(Qualifier, String)>, String> {
    let Some((name, value)) = word.split_once(':') else {
        return Ok(None);
    };
    let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_name || value.starts_with([':', '/', '\\']) {
        return Ok(None);
    }
    match Qualifier::parse(name) {
        Some(qualifier) if value.is_empty() && !quoted => {
            Err(format!("{name}: expects {}", qualifier.expects()))
        }
        Some(qualifier) => Ok(Some((qualifier, value.to_owned()))),
        None => match Qualifier::nearest(name) {
            Some(meant) if !value.is_empty() || quoted => Err(format!(
                "there is no qualifier {name}:, did you mean {}:?",
                meant.name()
            )),
            _ => Ok(None),
        },
    }
}

fn is_space(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

/// Whether a phrase begins or ends with this letter.
pub fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '“' | '”' | '„')
}

/// Whether the value of a qualifier needs no quotes.
fn is_plain_value(value: &str) -> bool {
    !value.is_empty() && !value.starts_with([':', '/', '\\']) && !value.chars().any(is_space)
}

/// Writes the token as it can be typed again.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.or {
            f.write_str("OR ")?;
        }
        if self.negated {
            f.write_str("-")?;
        }
        match &self.kind {
            TokenKind::Word(word) => f.write_str(word),
            TokenKind::Phrase(phrase) => write!(f, "\"{phrase}\""),
            TokenKind::Qualifier(qualifier, value) if is_plain_value(value) => {
                write!(f, "{}:{value}", qualifier.name())
            }
            TokenKind::Qualifier(qualifier, value) => write!(f, "{}:\"{value}\"", qualifier.name()),
        }
    }
}

#[cfg(test)]
mod tests;
