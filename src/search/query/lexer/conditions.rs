//! Qualifiers of several parts: changes with `by:` and `on:`, and conditions on custom fields.
//!
//! The parts become one value without quotes, such as `status by:Bob Developer on:today` and `Build
//! number>=12`.

use super::{Lexeme, Lexer, ParseError};
use crate::query::token::TokenKind;

/// What may follow a change: by whom and when it was made.
pub(in crate::query) const CHANGE_MODIFIERS: [&str; 2] = ["by:", "on:"];

/// Whether the character begins an operator of a condition on a custom field.
pub(in crate::query) fn is_operator(character: char) -> bool {
    matches!(character, '=' | '<' | '>')
}

impl Lexer {
    /// Adds `by:bob` or `on:today` to the change before it; returns whether it has. `is_quoted` tells
    /// that a quote follows the word.
    pub(super) fn append_modifier(&mut self, word: &str, is_quoted: bool) -> bool {
        let part = CHANGE_MODIFIERS
            .iter()
            .find(|part| word.starts_with(**part));
        let Some(part) = part.filter(|part| word.len() > part.len() || is_quoted) else {
            return false;
        };
        let takes_it = match self.lexed.lexemes.last() {
            Some(Lexeme::Operand(token)) => match &token.kind {
                TokenKind::Qualifier(qualifier, value) => {
                    qualifier.accepts_modifiers() && !value.contains(&format!(" {part}"))
                }
                _ => false,
            },
            _ => false,
        };
        if !takes_it {
            return false;
        }
        let mut added = format!(" {word}");
        if word.len() == part.len() {
            added.push_str(&self.read_quoted());
        }
        if let Some(Lexeme::Operand(token)) = self.lexed.lexemes.last_mut()
            && let TokenKind::Qualifier(_, value) = &mut token.kind
        {
            value.push_str(&added);
        }
        true
    }

    /// Fails if a query with a change has `by:` or `on:` elsewhere than after it.
    pub(super) fn check_modifiers(&self) -> Result<(), ParseError> {
        let tokens = self.lexed.lexemes.iter().filter_map(|lexeme| match lexeme {
            Lexeme::Operand(token) => Some(token),
            _ => None,
        });
        let mut has_change = false;
        let mut misplaced = None;
        for token in tokens {
            match &token.kind {
                TokenKind::Qualifier(qualifier, _) => has_change |= qualifier.accepts_modifiers(),
                TokenKind::Word(word) => {
                    let mut modifiers = CHANGE_MODIFIERS.iter();
                    let modifier = modifiers.find(|modifier| word.starts_with(**modifier));
                    misplaced = misplaced.or(modifier.map(|modifier| (token, word, modifier)));
                }
                _ => {}
            }
        }
        match misplaced.filter(|_| has_change) {
            Some((token, word, modifier)) => Err(ParseError {
                position: token.position,
                text: word.clone(),
                problem: format!("{modifier} stands right after changed: or was:, each once"),
            }),
            None => Ok(()),
        }
    }

    /// Reads the condition on the custom field whose name was quoted just now, such as the rest of
    /// `"Build number":>=12`; `None` if there is none, as in JSON.
    pub(super) fn field_condition(&mut self) -> Option<String> {
        let has_operator = self.characters.get(self.at) == Some(&':')
            && self
                .characters
                .get(self.at + 1)
                .is_some_and(|next| is_operator(*next));
        if !has_operator {
            return None;
        }
        self.at += 1;
        Some(self.read_field(String::new()))
    }

    /// Reads what is left of the condition on a custom field, without quotes: a quoted name, an operator
    /// and a value.
    pub(super) fn read_field(&mut self, mut read: String) -> String {
        loop {
            if self.characters.get(self.at) == Some(&')') {
                return read;
            }
            let end = self.end_of_word();
            let end = self.start_of_closing(end);
            read.extend(&self.characters[self.at..end]);
            self.at = end;
            let may_follow = read.is_empty() || read.ends_with(is_operator);
            if !may_follow || !self.is_quote_at(end) {
                return read;
            }
            read.push_str(&self.read_quoted());
        }
    }
}
