//! A parsed query: words, phrases and qualifiers. No input reaches a query syntax of tantivy.

use super::compound;
use super::parser::{ParseError, Qualifier, Token, TokenKind, tokenize};
use super::word::Word;
use crate::schema::config::Bounds;
use std::collections::HashSet;

/// A query.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ParsedQuery {
    /// The words and quoted phrases that must match.
    pub words: Vec<Word>,
    /// The words and quoted phrases that must not match.
    pub excluded: Vec<Word>,
    pub qualifiers: Vec<QualifierFilter>,
    /// The tokens of the text.
    pub tokens: Vec<Token>,
}

/// A qualifier with its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QualifierFilter {
    pub qualifier: Qualifier,
    pub value: String,
    /// Whether matching records are excluded.
    pub negated: bool,
    /// The position in the text, in characters from 1.
    pub position: usize,
}

/// A query that is rejected. `Display` begins after the subject of the sentence: the API calls the
/// query `q`, pages do not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The text cannot be parsed.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The text is too long.
    #[error("is too long (at most {limit} characters)")]
    TooLong {
        /// The maximum number of characters.
        limit: usize,
    },
    /// There are too many words that must all match.
    #[error(
        "has too many words (at most {limit} where all must match, any number with all_words=0)"
    )]
    TooManyWords {
        /// The maximum number of words.
        limit: usize,
    },
    /// There are too many qualifiers and excluded words.
    #[error("has too many qualifiers and excluded words (at most {limit})")]
    TooManyQualifiers {
        /// The maximum number of both together.
        limit: usize,
    },
}

impl ParsedQuery {
    /// Parses words, `"quoted phrases"`, and the operators and qualifiers of the query language. A
    /// word that ends with `*` is a prefix. Words without a term are ignored, repeated words are
    /// counted.
    pub fn parse(text: &str, bounds: &Bounds) -> Result<ParsedQuery, QueryError> {
        if text.chars().nth(bounds.query_characters).is_some() {
            return Err(QueryError::TooLong {
                limit: bounds.query_characters,
            });
        }
        let mut query = ParsedQuery {
            tokens: tokenize(text)?,
            ..ParsedQuery::default()
        };
        let mut known = HashSet::new();
        for (index, token) in query.tokens.clone().into_iter().enumerate() {
            let has_alternatives = query.tokens.get(index + 1).is_some_and(|next| next.or);
            query.add(token, has_alternatives, &mut known, bounds)?;
        }
        if query.excluded.len() + query.qualifiers.len() > bounds.query_words {
            return Err(QueryError::TooManyQualifiers {
                limit: bounds.query_words,
            });
        }
        if !query.has_more_words_than(bounds.query_words) {
            compound::add_spellings(&mut query.words, &query.tokens);
        }
        Ok(query)
    }

    /// Checks that a query of which every word must match does not have too many words.
    pub fn check_all_words(&self, bounds: &Bounds) -> Result<(), QueryError> {
        let limit = bounds.query_words;
        if self.has_more_words_than(limit) {
            return Err(QueryError::TooManyWords { limit });
        }
        Ok(())
    }

    /// Whether the query has more than this many words, alternatives included.
    pub(crate) fn has_more_words_than(&self, limit: usize) -> bool {
        self.every_word().nth(limit).is_some()
    }

    /// Adds a token. `known` has the words without alternatives that must match so far.
    fn add(
        &mut self,
        token: Token,
        has_alternatives: bool,
        known: &mut HashSet<Word>,
        bounds: &Bounds,
    ) -> Result<(), ParseError> {
        let text = token.to_string();
        if let TokenKind::Qualifier(qualifier, value) = &token.kind {
            let qualifier = *qualifier;
            let value = value.clone();
            self.qualifiers.push(QualifierFilter {
                qualifier,
                value,
                negated: token.negated,
                position: token.position,
            });
        }
        let word = Word::from_token(&token, bounds);
        let Some(word) = word else {
            let is_qualifier = self
                .qualifiers
                .last()
                .is_some_and(|last| last.position == token.position);
            return if token.or && is_qualifier {
                Err(misplaced_or(token.position, text))
            } else {
                Ok(())
            };
        };
        match (token.or, token.negated) {
            (true, true) => return Err(misplaced_or(token.position, text)),
            (true, false) => match self.words.last_mut() {
                Some(previous)
                    if previous.has_same_text(&word) || previous.alternatives.contains(&word) => {}
                Some(previous) => previous.alternatives.push(word),
                None => self.words.push(word),
            },
            (false, true) if self.excluded.contains(&word) => {}
            (false, true) => self.excluded.push(word),
            (false, false) if !has_alternatives && !known.insert(word.clone()) => {
                let mut words = self.words.iter_mut();
                if let Some(first) = words.find(|first| first.is_alone(&word)) {
                    first.count += 1;
                }
            }
            (false, false) => self.words.push(word),
        }
        Ok(())
    }

    /// Returns the query with its last word as a prefix, as for text that is still being typed.
    #[must_use]
    pub fn with_last_as_prefix(mut self, bounds: &Bounds) -> ParsedQuery {
        if let Some(last) = self.words.last_mut()
            && last
                .variants
                .iter()
                .flatten()
                .all(|term| term.unstemmed.chars().count() >= bounds.prefix_characters)
        {
            last.prefix = true;
            last.spellings.clear();
            if let Some(last) = last.parts.last_mut() {
                last.prefix = true;
            }
            // A correction is parsed from the text of the tokens.
            if let Some(Token {
                kind: TokenKind::Word(text),
                negated: false,
                ..
            }) = self.tokens.last_mut()
                && !text.ends_with('*')
            {
                text.push('*');
            }
        }
        self
    }

    /// Whether the query has nothing to match; then nothing matches.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.excluded.is_empty() && self.qualifiers.is_empty()
    }

    /// Whether words must be in the title (`in:title`).
    pub fn is_in_title(&self) -> bool {
        self.qualifiers.iter().any(|filter| {
            filter.qualifier == Qualifier::In && !filter.negated && filter.value == "title"
        })
    }

    /// Whether words must not be in the title (`-in:title`).
    pub(crate) fn is_outside_title(&self) -> bool {
        let is_negated = self
            .qualifiers
            .iter()
            .any(|filter| filter.qualifier == Qualifier::In && filter.negated);
        is_negated && !self.words.is_empty()
    }

    /// Returns the word or alternative that is the same as this one, with its compound spellings.
    pub(crate) fn find(&self, word: &Word) -> Option<&Word> {
        self.every_word().find(|other| other.has_same_text(word))
    }

    /// Returns every word that may match, alternatives included.
    pub fn every_word(&self) -> impl Iterator<Item = &Word> {
        self.words
            .iter()
            .flat_map(|word| std::iter::once(word).chain(&word.alternatives))
    }
}

/// `OR` must be between words and phrases.
fn misplaced_or(position: usize, text: String) -> ParseError {
    ParseError {
        position,
        text,
        problem: "OR joins words and phrases that are not negated".to_owned(),
    }
}

#[cfg(test)]
mod tests;
