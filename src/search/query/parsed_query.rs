//! A parsed query: words, phrases and qualifiers. No input reaches a query syntax of tantivy.

use super::clause::{Clause, Place, QualifierFilter, place_qualifier};
use super::compound;
use super::lexer::ParseError;
use super::parser::{Items, Part, parse};
use super::qualifier::Qualifier;
use super::sort::Sort;
use super::token::{Token, TokenKind};
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
    /// What else must match: groups, and alternatives that are not only words.
    pub clauses: Vec<Clause>,
    /// The tokens of the text.
    pub tokens: Vec<Token>,
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
    /// There are too many qualifiers, excluded words and words in groups.
    #[error("has too many qualifiers, excluded words and words in groups (at most {limit})")]
    TooManyQualifiers {
        /// The maximum number of all together.
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
        let parsed = parse(text)?;
        check_places_and_orders(&parsed.tokens)?;
        let mut query = ParsedQuery {
            tokens: parsed.tokens,
            ..ParsedQuery::default()
        };
        if names_several_places(&parsed.items) {
            // The planner has one place for all words; alternatives of places are a clause.
            query.clauses.extend(Clause::all(&parsed.items, bounds));
        } else {
            let mut known = HashSet::new();
            for item in &parsed.items {
                query.add(item, &mut known, bounds);
            }
        }
        let conditions: usize = query.clauses.iter().map(Clause::leaf_count).sum();
        if query.excluded.len() + query.qualifiers.len() + conditions > bounds.query_words {
            return Err(QueryError::TooManyQualifiers {
                limit: bounds.query_words,
            });
        }
        if !query.has_more_words_than(bounds.query_words) {
            compound::add_spellings(&mut query.words, &query.tokens);
            for clause in &mut query.clauses {
                clause.for_each_positive_word(false, &mut compound::add_halves);
            }
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

    /// Adds an item of the text. `known` has the words without alternatives that must match so far.
    fn add(&mut self, item: &[Part], known: &mut HashSet<Word>, bounds: &Bounds) {
        if let [Part::Operand(token)] = item {
            self.add_token(token, known, bounds);
            return;
        }
        let Some(words) = positive_words(item, bounds) else {
            self.clauses.extend(Clause::any(item, bounds));
            return;
        };
        let mut words = words.into_iter();
        let Some(mut first) = words.next() else {
            return;
        };
        for word in words {
            if !first.has_same_text(&word) && !first.alternatives.contains(&word) {
                first.alternatives.push(word);
            }
        }
        if first.alternatives.is_empty() {
            self.add_word(first, known);
        } else {
            self.words.push(first);
        }
    }

    /// Adds a word, phrase or qualifier without alternatives.
    fn add_token(&mut self, token: &Token, known: &mut HashSet<Word>, bounds: &Bounds) {
        self.qualifiers.extend(QualifierFilter::from_token(token));
        let Some(word) = Word::from_token(token, bounds) else {
            return;
        };
        if token.negated {
            if !self.excluded.contains(&word) {
                self.excluded.push(word);
            }
        } else {
            self.add_word(word, known);
        }
    }

    /// Adds a word without alternatives, or counts it.
    fn add_word(&mut self, word: Word, known: &mut HashSet<Word>) {
        if known.insert(word.clone()) {
            self.words.push(word);
            return;
        }
        let mut words = self.words.iter_mut();
        if let Some(first) = words.find(|first| first.is_alone(&word)) {
            first.count += 1;
        }
    }

    /// Returns the query with its last word as a prefix, as for text that is still being typed.
    #[must_use]
    pub fn with_last_as_prefix(mut self, bounds: &Bounds) -> ParsedQuery {
        if let Some(last) = self.words.last_mut()
            && last.variants.iter().all(|variant| {
                let terms = variant.iter();
                let length: usize = terms.map(|term| term.unstemmed.chars().count()).sum();
                length >= bounds.prefix_characters
            })
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
        self.words.is_empty()
            && self.excluded.is_empty()
            && self.qualifiers.is_empty()
            && self.clauses.is_empty()
    }

    /// Returns the place where all words must be (`in:title`).
    pub(crate) fn place(&self) -> Option<Place> {
        let mut places = self.places(false);
        places.next()
    }

    /// Returns the places where words must not all be (`-in:title`).
    pub(crate) fn excluded_places(&self) -> Vec<Place> {
        let has_words = self.every_word().next().is_some();
        self.places(true).filter(|_| has_words).collect()
    }

    /// Whether any `in:` of the query, also in a group, names the place.
    pub(crate) fn tokens_name(&self, place: Place) -> bool {
        self.tokens.iter().any(|token| match &token.kind {
            TokenKind::Qualifier(Qualifier::In, value) => Place::parse(value) == Some(place),
            _ => false,
        })
    }

    fn places(&self, negated: bool) -> impl Iterator<Item = Place> {
        let filters = self.qualifiers.iter();
        let filters = filters
            .filter(move |filter| filter.qualifier == Qualifier::In && filter.negated == negated);
        filters.filter_map(|filter| Place::parse(&filter.value))
    }

    /// Returns the word or alternative that is the same as this one, with its compound spellings.
    pub(crate) fn find(&self, word: &Word) -> Option<&Word> {
        self.every_word().find(|other| other.has_same_text(word))
    }

    /// Returns every word that may match: the words with their alternatives, then those of the
    /// clauses.
    pub fn every_word(&self) -> impl Iterator<Item = &Word> {
        self.words
            .iter()
            .flat_map(|word| std::iter::once(word).chain(&word.alternatives))
            .chain(self.clause_words())
    }

    /// Returns the words of the clauses whose match lets their clause match.
    pub(crate) fn clause_words(&self) -> Vec<&Word> {
        let mut words = Vec::new();
        for clause in &self.clauses {
            clause.for_each_word(&mut |word| words.push(word));
        }
        words
    }

    /// Whether one of several words or groups of words suffices, in a search for any word.
    pub(crate) fn has_optional_words(&self) -> bool {
        let clauses = self.clauses.iter().filter(|clause| clause.is_text());
        self.words.len() + clauses.count() > 1
    }
}

/// Whether words may be in any of several places (`in:title in:files`).
fn names_several_places(items: &Items) -> bool {
    let places = items.iter().filter_map(|item| place_qualifier(item));
    let mut places = places.filter_map(|(place, negated)| (!negated).then_some(place));
    let first = places.next();
    places.any(|place| Some(place) != first)
}

/// Checks `in:` and `sort:`, which have no filter that is resolved later.
fn check_places_and_orders(tokens: &[Token]) -> Result<(), ParseError> {
    for (index, token) in tokens.iter().enumerate() {
        let filter = QualifierFilter::from_token(token);
        let filter =
            filter.filter(|filter| matches!(filter.qualifier, Qualifier::In | Qualifier::Sort));
        let Some(filter) = filter else {
            continue;
        };
        let is_known = match filter.qualifier {
            Qualifier::In => Place::parse(&filter.value).is_some(),
            _ => Sort::parse(filter.value.trim()).is_some(),
        };
        if !is_known {
            return Err(filter.error(None));
        }
        let has_choice = token.or || tokens.get(index + 1).is_some_and(|next| next.or);
        let problem = match filter.qualifier {
            Qualifier::In if has_choice => {
                "in: says where words must be; put it into parentheses with them"
            }
            Qualifier::Sort if has_choice || filter.negated => {
                "sort: is an order; it stands alone, without OR and -"
            }
            _ => continue,
        };
        return Err(filter.error(Some(problem.to_owned())));
    }
    Ok(())
}

/// Returns the words of an item; `None` if it has something else than words that are not negated.
fn positive_words(item: &[Part], bounds: &Bounds) -> Option<Vec<Word>> {
    let mut words = Vec::with_capacity(item.len());
    for syntax in item {
        match syntax {
            Part::Operand(token)
                if !token.negated && !matches!(token.kind, TokenKind::Qualifier(..)) =>
            {
                words.extend(Word::from_token(token, bounds));
            }
            _ => return None,
        }
    }
    Some(words)
}

#[cfg(test)]
mod tests;
