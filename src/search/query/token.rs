//! The tokens of a query, and how they are typed.

use super::qualifier::Qualifier;
use std::fmt;

/// A token of a query.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// Whether it must not match.
    pub negated: bool,
    /// Whether it is an alternative to the token or group before it.
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
    /// The parenthesis that opens a group.
    Open,
    /// The parenthesis that closes a group.
    Close,
}

pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

/// Whether a phrase begins or ends with this letter.
pub fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '“' | '”' | '„')
}

/// Whether the value of a qualifier needs no quotes.
fn is_plain_value(value: &str) -> bool {
    !value.is_empty()
        && !value.starts_with([':', '/', '\\'])
        && !value.contains(['(', ')'])
        && !value.chars().any(is_space)
}

impl Token {
    /// Whether it is a word of punctuation, which may mean something else next to a parenthesis.
    fn is_punctuation(&self) -> bool {
        matches!(&self.kind, TokenKind::Word(word) if !word.contains(char::is_alphanumeric))
    }
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
            TokenKind::Open => f.write_str("("),
            TokenKind::Close => f.write_str(")"),
        }
    }
}

/// Returns the text of tokens, as it can be typed again.
pub(crate) fn text_of(tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut previous: Option<&Token> = None;
    for token in tokens {
        let is_attached = match previous {
            None => true,
            Some(previous) if previous.kind == TokenKind::Open => !token.is_punctuation(),
            Some(previous) => token.kind == TokenKind::Close && !previous.is_punctuation(),
        };
        if !is_attached {
            text.push(' ');
        }
        text.push_str(&token.to_string());
        previous = Some(token);
    }
    text
}
