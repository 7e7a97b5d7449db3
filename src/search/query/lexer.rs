//! Splits the text of a query into words, phrases, qualifiers, operators and parentheses.
//!
//! Whatever is not a qualifier is a word, so that addresses, paths and error messages can be
//! searched as they are. Whether an operator is one is decided by [`super::parser`].

mod conditions;

pub(super) use conditions::{CHANGE_MODIFIERS, is_operator};

use super::qualifier::Qualifier;
use super::token::{Token, TokenKind, is_quote, is_space};

/// A part of the text of a query.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lexeme {
    /// A word, a phrase or a qualifier.
    Operand(Token),
    /// `(` or `-(`.
    Open { negated: bool, position: usize },
    /// `)`.
    Close { position: usize },
    /// `AND`.
    And { position: usize },
    /// `OR`.
    Or { position: usize },
    /// `NOT`.
    Not { position: usize },
}

/// Maximum depth of parentheses, redundant ones included; deeper ones are text.
pub(super) const MAX_PARENTHESES: usize = 100;

/// How a text is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Parentheses, `AND` and `NOT` are operators.
    Operators,
    /// Parentheses, `AND` and `NOT` are text.
    Text,
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

impl ParseError {
    /// Whether groups are nested too deeply.
    pub(super) fn is_nesting(&self) -> bool {
        self.text == "("
    }
}

/// The lexemes of a text.
#[derive(Debug, Default)]
pub(super) struct Lexemes {
    pub lexemes: Vec<Lexeme>,
    /// The position of the first parenthesis in a word that has no counterpart in this word, and
    /// neither opens nor closes a group.
    pub unmatched: Option<usize>,
}

/// Splits a text into lexemes. Fails if a qualifier has no value, or if a word looks like a
/// misspelled qualifier.
pub(super) fn lex(text: &str, mode: Mode) -> Result<Lexemes, ParseError> {
    let mut lexer = Lexer {
        characters: text.chars().collect(),
        at: 0,
        depth: 0,
        mode,
        lexed: Lexemes::default(),
    };
    while lexer.at < lexer.characters.len() {
        if is_space(lexer.characters[lexer.at]) {
            lexer.at += 1;
        } else {
            lexer.read_lexeme()?;
        }
    }
    lexer.check_modifiers()?;
    Ok(lexer.lexed)
}

/// Returns the number of groups that are open at the end of a text.
pub(super) fn open_groups(text: &str) -> usize {
    let lexemes = lex(text, Mode::Operators).map(|lexed| lexed.lexemes);
    lexemes
        .unwrap_or_default()
        .iter()
        .fold(0_usize, |open, lexeme| match lexeme {
            Lexeme::Open { .. } => open + 1,
            Lexeme::Close { .. } => open.saturating_sub(1),
            _ => open,
        })
}

struct Lexer {
    characters: Vec<char>,
    at: usize,
    /// The number of parentheses that are open.
    depth: usize,
    mode: Mode,
    lexed: Lexemes,
}

impl Lexer {
    /// Reads what starts at the current character, which is not a space.
    fn read_lexeme(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        let position = start + 1;
        let next = self.characters.get(start + 1);
        let negated = self.characters[start] == '-'
            && next.is_some_and(|next| !is_space(*next) && *next != '-');
        self.at += usize::from(negated);
        if is_quote(self.characters[self.at]) {
            let phrase = self.read_quoted();
            let kind = match self.field_condition() {
                Some(condition) => TokenKind::Qualifier(Qualifier::Field, phrase + &condition),
                None => TokenKind::Phrase(phrase),
            };
            self.push(negated, kind, position);
            return Ok(());
        }
        let end = self.end_of_word();
        if self.mode == Mode::Operators {
            if self.opens_group(end) {
                self.at += 1;
                self.depth += 1;
                self.lexed.lexemes.push(Lexeme::Open { negated, position });
                return Ok(());
            }
            if !negated && self.close_groups(end) {
                return Ok(());
            }
        }
        let end = self.start_of_closing(end);
        let mut word: String = self.characters[self.at..end].iter().collect();
        let typed = word.len();
        if self.mode == Mode::Text {
            word = without_parentheses(&word);
        }
        let is_quoted = self.is_quote_at(end);
        self.at = end;
        if !negated && self.append_modifier(&word, is_quoted) {
            return Ok(());
        }
        let operator = match word.as_str() {
            "OR" if word.len() == typed => Some(Lexeme::Or { position }),
            "AND" if self.mode == Mode::Operators => Some(Lexeme::And { position }),
            "NOT" if self.mode == Mode::Operators => Some(Lexeme::Not { position }),
            _ => None,
        };
        if let Some(operator) = operator.filter(|_| !negated) {
            self.lexed.lexemes.push(operator);
            return Ok(());
        }
        let kind = match qualifier(&word, is_quoted).map_err(|problem| ParseError {
            position,
            text: word.clone(),
            problem,
        })? {
            Some((Qualifier::Field, value)) => {
                TokenKind::Qualifier(Qualifier::Field, self.read_field(value))
            }
            Some((qualifier, value)) if value.is_empty() && is_quoted => {
                TokenKind::Qualifier(qualifier, self.read_quoted())
            }
            Some((qualifier, value)) => TokenKind::Qualifier(qualifier, value),
            None => match word.as_str() {
                "" => return Ok(()),
                // In quotes, because they would be operators in other texts.
                "AND" | "NOT" | "OR" => TokenKind::Phrase(word),
                text if text.len() < typed && text.starts_with('-') => TokenKind::Phrase(word),
                _ => TokenKind::Word(word),
            },
        };
        self.push(negated, kind, position);
        Ok(())
    }

    fn push(&mut self, negated: bool, kind: TokenKind, position: usize) {
        let token = Token {
            negated,
            or: false,
            kind,
            position,
        };
        self.lexed.lexemes.push(Lexeme::Operand(token));
    }

    /// Reads the quoted text at the current character, which is a quote.
    fn read_quoted(&mut self) -> String {
        let start = self.at + 1;
        let end = (start..self.characters.len())
            .find(|index| is_quote(self.characters[*index]))
            .unwrap_or(self.characters.len());
        self.at = (end + 1).min(self.characters.len());
        self.characters[start..end].iter().collect()
    }

    fn is_quote_at(&self, index: usize) -> bool {
        self.characters.get(index).copied().is_some_and(is_quote)
    }

    /// Returns where the word at the current character ends.
    fn end_of_word(&self) -> usize {
        (self.at..self.characters.len())
            .find(|index| is_space(self.characters[*index]) || is_quote(self.characters[*index]))
            .unwrap_or(self.characters.len())
    }

    /// Whether the current character opens a group: what it opens is not closed within the word, as in
    /// `(s)he`, and does not consist of punctuation, as in `(:`.
    fn opens_group(&self, end: usize) -> bool {
        // Each look for the counterpart reads the whole word.
        if self.characters[self.at] != '(' || self.depth > MAX_PARENTHESES {
            return false;
        }
        let word = &self.characters[self.at..end];
        let close = matching_close(word);
        let inside = &word[1..close.unwrap_or(word.len())];
        let is_smiley = !inside.is_empty()
            && inside
                .iter()
                .all(|character| !character.is_alphanumeric() && !matches!(character, '(' | '-'));
        let after = close.map_or(&[][..], |close| &word[close + 1..]);
        !is_smiley && close != Some(1) && after.iter().all(|character| is_after_group(*character))
    }

    /// Closes groups if the word consists of closing parentheses, and punctuation after them.
    fn close_groups(&mut self, end: usize) -> bool {
        let word = &self.characters[self.at..end];
        let count = word
            .iter()
            .take_while(|character| **character == ')')
            .count();
        let is_closing = (1..=self.depth).contains(&count)
            && word[count..]
                .iter()
                .all(|character| is_after_group(*character));
        if is_closing {
            for index in 0..count {
                let position = self.at + index + 1;
                self.lexed.lexemes.push(Lexeme::Close { position });
            }
            self.depth -= count;
            self.at = end;
        }
        is_closing
    }

    /// Returns where the parentheses at the end of a word start that close groups around it.
    fn start_of_closing(&mut self, end: usize) -> usize {
        if self.mode == Mode::Text {
            return end;
        }
        let word = &self.characters[self.at..end];
        let position = self.at + 1;
        let is_word = |characters: &[char]| {
            characters
                .iter()
                .any(|character| character.is_alphanumeric())
        };
        let mut open: Vec<usize> = Vec::new();
        for (index, character) in word.iter().enumerate() {
            match character {
                '(' => open.push(index),
                ')' if open.pop().is_some() => {}
                ')' => {
                    let (before, after) = word.split_at(index);
                    let ends = after.iter().all(|character| is_after_group(*character));
                    let count = after.iter().filter(|character| **character == ')').count();
                    if is_word(before) && ends && count <= self.depth {
                        return self.at + index;
                    }
                    if is_word(word) {
                        self.lexed.unmatched.get_or_insert(position + index);
                    }
                    return end;
                }
                _ => {}
            }
        }
        if let Some(index) = open.first().filter(|_| is_word(word)) {
            self.lexed.unmatched.get_or_insert(position + index);
        }
        end
    }
}

/// Returns the index of the parenthesis that closes the one with which the word starts.
fn matching_close(word: &[char]) -> Option<usize> {
    let mut open = 0_usize;
    word.iter().position(|character| {
        match character {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            _ => {}
        }
        *character == ')' && open == 0
    })
}

/// Whether the character may follow a group without a space.
fn is_after_group(character: char) -> bool {
    matches!(character, ')' | ',' | ';' | '.' | ':' | '?' | '!')
}

/// Returns a word without parentheses around it; without any if it is only punctuation.
fn without_parentheses(word: &str) -> String {
    if !word.contains(char::is_alphanumeric) {
        return word.replace(['(', ')'], "");
    }
    let mut trimmed = word.trim_start_matches('(');
    let open = trimmed.matches('(').count();
    let close = trimmed.matches(')').count();
    for _ in open..close {
        trimmed = trimmed.strip_suffix(')').unwrap_or(trimmed);
    }
    trimmed.to_owned()
}

/// Parses a word as a qualifier with the value after its colon; `None` for other words. `quoted`
/// tells that a quote follows immediately.
fn qualifier(word: &str, quoted: bool) -> Result<Option<(Qualifier, String)>, String> {
    let Some((name, value)) = word.split_once(':') else {
        return Ok(None);
    };
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    if !is_name || value.starts_with([':', '/', '\\']) {
        return Ok(None);
    }
    match Qualifier::parse(name) {
        // As in `done: 5 files`.
        Some(qualifier) if value.is_empty() && !quoted && qualifier.is_common_word() => Ok(None),
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
