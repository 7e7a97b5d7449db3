//! Qualifiers of several parts: changes with `by:` and `on:`, and conditions on custom fields.
//!
//! The parts become one value without quotes, such as `status by:Bob Developer on:today` and `Build
//! number>=12`.

use super::{Lexeme, Lexer};
use crate::query::token::TokenKind;

/// What may follow a change: by whom and when it was made.
pub(in crate::query) const CHANGE_PARTS: [&str; 2] = ["by:", "on:"];

/// Whether the character begins an operator of a condition on a custom field.
pub(in crate::query) fn is_operator(character: char) -> bool {
    matches!(character, '=' | '<' | '>')
}

impl Lexer {
    /// Adds `by:bob` or `on:today` to the change before it; returns whether it has. `is_quoted` tells
    /// that a quote follows the word.
    pub(super) fn add_to_change(&mut self, word: &str, is_quoted: bool) -> bool {
        let part = CHANGE_PARTS.iter().find(|part| word.starts_with(**part));
        let Some(part) = part.filter(|part| word.len() > part.len() || is_quoted) else {
            return false;
        };
        let takes_it = match self.lexed.lexemes.last() {
            Some(Lexeme::Operand(token)) => match &token.kind {
                TokenKind::Qualifier(qualifier, value) => {
                    qualifier.takes_change() && !value.contains(&format!(" {part}"))
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
