//! A parsed query: words, phrases and qualifiers. No input reaches a query syntax of tantivy.

use super::parser::{ParseError, Qualifier, Token, TokenKind, tokenize};
use crate::search::analyzer::{AnalyzedToken, PART, SUBPART, Tokens, WHOLE};
use crate::search::schema::config::Bounds;

/// A query.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ParsedQuery {
    /// The words and quoted phrases that must match.
    pub words: Vec<Word>,
    /// The words and quoted phrases that must not match.
    pub excluded: Vec<Word>,
    /// The qualifiers.
    pub qualifiers: Vec<QualifierFilter>,
    /// The tokens of the text.
    pub tokens: Vec<Token>,
}

/// A qualifier with its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QualifierFilter {
    /// The qualifier.
    pub qualifier: Qualifier,
    /// Its value.
    pub value: String,
    /// Whether matching records are excluded.
    pub negated: bool,
    /// The position in the text, in characters from 1.
    pub position: usize,
}

/// A word or a quoted phrase. It matches where any of its variants does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    /// The variants, the finest first: `issue_query.rb` is `issue query rb`, or the whole. Neither the list nor a variant is empty.
    pub variants: Vec<Vec<QueryTerm>>,
    /// Whether the last term is a prefix.
    pub prefix: bool,
    /// The parts of an unquoted word that has several: `time-sharing` is `time` and `sharing`. With "any word", each part may match
    /// by itself. Empty for a simple word and for a quoted phrase.
    pub parts: Vec<Word>,
    /// Words that may match in its place.
    pub alternatives: Vec<Word>,
}

/// A term of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QueryTerm {
    /// The distance to the first term of the variant, in positions.
    pub offset: usize,
    /// The stemmed term.
    pub term: String,
    /// The term before stemming.
    pub unstemmed: String,
    /// The term that matches the exact word only.
    pub exact: String,
}

/// A query that is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The text cannot be parsed.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The text is too long.
    #[error("q is too long (at most {limit} characters)")]
    TooLong {
        /// The maximum number of characters.
        limit: usize,
    },
    /// There are too many words.
    #[error("q has too many words (at most {limit})")]
    TooManyWords {
        /// The maximum number of words.
        limit: usize,
    },
}

impl ParsedQuery {
    /// Parses words, `"quoted phrases"`, and the operators and qualifiers of the query language. A word that ends with `*` is a prefix.
    /// Words without a term and repeated words are ignored.
    pub fn parse(text: &str, bounds: &Bounds) -> Result<ParsedQuery, QueryError> {
        if text.chars().nth(bounds.query_characters).is_some() {
            return Err(QueryError::TooLong { limit: bounds.query_characters });
        }
        let mut query = ParsedQuery { tokens: tokenize(text)?, ..ParsedQuery::default() };
        for token in query.tokens.clone() {
            query.add(token, bounds)?;
        }
        if query.every_word().count() + query.excluded.len() + query.qualifiers.len() > bounds.query_words {
            return Err(QueryError::TooManyWords { limit: bounds.query_words });
        }
        Ok(query)
    }

    fn add(&mut self, token: Token, bounds: &Bounds) -> Result<(), ParseError> {
        let text = token.to_string();
        let word = match token.kind {
            TokenKind::Qualifier(qualifier, value) => {
                self.qualifiers.push(QualifierFilter { qualifier, value, negated: token.negated, position: token.position });
                None
            }
            TokenKind::Phrase(phrase) => Word::from_tokens(&Tokens::all(&phrase)),
            TokenKind::Word(word) => match word.trim_end_matches('*') {
                prefix if prefix.len() < word.len() => Word::parse(prefix, true, bounds),
                word => Word::parse(word, false, bounds),
            },
        };
        let Some(word) = word else {
            let is_qualifier = self.qualifiers.last().is_some_and(|last| last.position == token.position);
            return if token.or && is_qualifier { Err(misplaced_or(token.position, text)) } else { Ok(()) };
        };
        let is_in = |words: &[Word]| words.contains(&word);
        match (token.or, token.negated) {
            (true, true) => return Err(misplaced_or(token.position, text)),
            (true, false) if self.words.last().is_some_and(|previous| *previous == word || is_in(&previous.alternatives)) => {}
            (true, false) => match self.words.last_mut() {
                Some(previous) => previous.alternatives.push(word),
                None => self.words.push(word),
            },
            (false, true) if is_in(&self.excluded) => {}
            (false, true) => self.excluded.push(word),
            (false, false) if is_in(&self.words) => {}
            (false, false) => self.words.push(word),
        }
        Ok(())
    }

    /// Returns the query with its last word as a prefix, as for text that is still being typed.
    #[must_use]
    pub fn with_last_as_prefix(mut self, bounds: &Bounds) -> ParsedQuery {
        if let Some(last) = self.words.last_mut()
            && last.variants.iter().flatten().all(|term| term.unstemmed.chars().count() >= bounds.prefix_characters)
        {
            last.prefix = true;
            if let Some(last) = last.parts.last_mut() {
                last.prefix = true;
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
        self.qualifiers.iter().any(|filter| filter.qualifier == Qualifier::In && !filter.negated && filter.value == "title")
    }

    /// Whether words must not be in the title (`-in:title`).
    pub(crate) fn is_outside_title(&self) -> bool {
        let is_negated = self.qualifiers.iter().any(|filter| filter.qualifier == Qualifier::In && filter.negated);
        is_negated && !self.words.is_empty()
    }

    /// Whether the query has this word, as more than a prefix.
    pub(crate) fn contains(&self, word: &Word) -> bool {
        self.every_word().any(|other| other.has_same_text(word))
    }

    /// Replaces a word by others, any of which may match.
    pub(crate) fn replace(&mut self, word: &Word, mut by: Vec<Word>) {
        for existing in &mut self.words {
            if let Some(index) = existing.alternatives.iter().position(|alternative| alternative.has_same_text(word)) {
                existing.alternatives.splice(index..=index, by);
                return;
            }
            if existing.has_same_text(word) && !by.is_empty() {
                let first = by.remove(0);
                let alternatives = by.into_iter().chain(std::mem::take(&mut existing.alternatives)).collect();
                *existing = Word { alternatives, ..first };
                return;
            }
        }
    }

    /// Returns every word that may match, alternatives included.
    pub fn every_word(&self) -> impl Iterator<Item = &Word> {
        self.words.iter().flat_map(|word| std::iter::once(word).chain(&word.alternatives))
    }
}

impl Word {
    /// Whether both are the same words or prefixes, whatever their alternatives.
    pub(crate) fn has_same_text(&self, other: &Word) -> bool {
        self.variants == other.variants && self.prefix == other.prefix
    }

    /// Parses an unquoted word; `None` if it has no term. A `prefix` that is too short is a word.
    pub(crate) fn parse(text: &str, prefix: bool, bounds: &Bounds) -> Option<Word> {
        let tokens = Tokens::all(text);
        let mut word = Word::from_tokens(&tokens)?;
        let subparts: Vec<AnalyzedToken> = tokens.iter().filter(|token| token.levels & SUBPART != 0).cloned().collect();
        word.parts = subparts.chunk_by(|previous, token| previous.cjk && token.cjk).filter_map(Word::from_tokens).collect();
        if prefix && text.chars().count() >= bounds.prefix_characters && tokens.last().is_some_and(|last| !last.cjk) {
            word.prefix = true;
            if let Some(last) = word.parts.last_mut() {
                last.prefix = true;
            }
        }
        if word.parts.len() < 2 {
            word.parts.clear();
        }
        Some(word)
    }

    /// Creates a word from the output of the analyzer; `None` if that is empty.
    pub(crate) fn from_tokens(tokens: &[AnalyzedToken]) -> Option<Word> {
        let mut variants: Vec<Vec<QueryTerm>> = Vec::new();
        for level in [SUBPART, PART, WHOLE] {
            let variant = variant(tokens, level);
            if !variant.is_empty() && !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        (!variants.is_empty()).then_some(Word { variants, prefix: false, parts: Vec::new(), alternatives: Vec::new() })
    }

    /// Returns the finest variant.
    pub fn finest(&self) -> &[QueryTerm] {
        self.variants.first().map_or(&[], Vec::as_slice)
    }
}

/// `OR` must be between words and phrases.
fn misplaced_or(position: usize, text: String) -> ParseError {
    ParseError { position, text, problem: "OR joins words and phrases that are not negated".to_owned() }
}

/// Returns the terms of one variant. Coarser terms follow each other at distance 1; pairs of CJK characters keep their distances.
fn variant(tokens: &[AnalyzedToken], level: u8) -> Vec<QueryTerm> {
    let mut terms: Vec<QueryTerm> = Vec::new();
    let mut previous: Option<&AnalyzedToken> = None;
    for token in tokens.iter().filter(|token| token.levels & level != 0) {
        let offset = match (previous, terms.last()) {
            (Some(previous), Some(term)) if previous.cjk || level == SUBPART => term.offset + token.position - previous.position,
            (_, Some(term)) => term.offset + 1,
            _ => 0,
        };
        terms.push(QueryTerm { offset, term: token.term.clone(), unstemmed: token.unstemmed.clone(), exact: token.exact_term() });
        previous = Some(token);
    }
    terms
}

#[cfg(test)]
mod tests;
