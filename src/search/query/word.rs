//! The words and phrases of a query, as the terms that match them.

use super::token::{Token, TokenKind};
use crate::analyzer::{AnalyzedToken, PART, REST, SEGMENT, SUBPART, Tokens, WHOLE};
use crate::schema::config::Bounds;

/// Maximum number of terms of a phrase, or of a word with parts, that are compared. The rest counts as
/// found: a text of thousands of parts would take seconds.
const MAX_TERMS: usize = 128;

/// A word or a quoted phrase. It matches where any of its variants does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    /// The variants, the finest first: `issue_query.rb` is `issue query rb`, or the whole. Neither
    /// the list nor a variant is empty.
    pub variants: Vec<Vec<QueryTerm>>,
    /// Whether the last term is a prefix.
    pub prefix: bool,
    /// The parts of an unquoted word that has several: `time-sharing` is `time` and `sharing`. With
    /// "any word", each part may match by itself. Those of `iPhone` are `iphone` and `phone`. Empty for a simple word and for a quoted phrase.
    pub parts: Vec<Word>,
    /// Other spellings, which also match: `tableview` for each of the words `table view`, and the
    /// other way around.
    pub spellings: Vec<Vec<QueryTerm>>,
    /// Words that may match in its place.
    pub alternatives: Vec<Word>,
    /// How often it occurs in the query; 1 for alternatives and parts.
    pub count: u32,
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

impl Word {
    /// Whether both are the same words or prefixes, whatever their alternatives.
    pub(crate) fn has_same_text(&self, other: &Word) -> bool {
        self.variants == other.variants && self.prefix == other.prefix
    }

    /// Whether this is the same word or prefix as the other, without alternatives.
    pub(super) fn is_alone(&self, other: &Word) -> bool {
        self.alternatives.is_empty() && self.has_same_text(other)
    }

    /// Returns the word without its alternatives.
    pub(crate) fn alone(&self) -> Word {
        Word {
            alternatives: Vec::new(),
            ..self.clone()
        }
    }

    /// Returns the word or phrase of a token; `None` for a qualifier, and where the analyzer leaves
    /// nothing.
    pub(crate) fn from_token(token: &Token, bounds: &Bounds) -> Option<Word> {
        match &token.kind {
            TokenKind::Qualifier(..) | TokenKind::Open | TokenKind::Close => None,
            TokenKind::Phrase(phrase) => Word::from_tokens(&Tokens::all(phrase)),
            TokenKind::Word(word) => match word.trim_end_matches('*') {
                prefix if prefix.len() < word.len() => Word::parse(prefix, true, bounds),
                word => Word::parse(word, false, bounds),
            },
        }
    }

    /// Parses an unquoted word; `None` if it has no term. A `prefix` that is too short is a word.
    pub(crate) fn parse(text: &str, prefix: bool, bounds: &Bounds) -> Option<Word> {
        let tokens = Tokens::all(text);
        let mut word = Word::from_tokens(&tokens)?;
        // The rest of a part is in no split of its word, but is a word by itself.
        let subparts: Vec<AnalyzedToken> = tokens
            .iter()
            .filter(|token| token.levels & (SUBPART | REST) != 0)
            .map(|token| AnalyzedToken {
                levels: token.levels | SUBPART,
                ..token.clone()
            })
            .collect();
        word.parts = subparts
            .chunk_by(|previous, token| previous.cjk && token.cjk)
            .filter_map(Word::from_tokens)
            .take(MAX_TERMS)
            .collect();
        if prefix
            && text.chars().count() >= bounds.prefix_characters
            && tokens.last().is_some_and(|last| !last.cjk)
        {
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
        for level in [SUBPART, SEGMENT, PART, WHOLE] {
            let variant = variant(tokens, level);
            if !variant.is_empty() && !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        (!variants.is_empty()).then_some(Word {
            variants,
            prefix: false,
            parts: Vec::new(),
            spellings: Vec::new(),
            alternatives: Vec::new(),
            count: 1,
        })
    }

    /// Returns the term of the whole word, if the word has several parts.
    pub(crate) fn joined_whole(&self) -> Option<&QueryTerm> {
        match self.variants.as_slice() {
            [_, .., whole] if !self.prefix && whole.len() == 1 => whole.first(),
            _ => None,
        }
    }

    /// Returns the finest variant.
    pub fn finest(&self) -> &[QueryTerm] {
        self.variants.first().map_or(&[], Vec::as_slice)
    }
}

/// Returns the terms of one variant. Coarser terms follow each other at distance 1; pairs of CJK
/// characters keep their distances.
fn variant(tokens: &[AnalyzedToken], level: u8) -> Vec<QueryTerm> {
    let mut terms: Vec<QueryTerm> = Vec::new();
    let mut previous: Option<&AnalyzedToken> = None;
    let tokens = tokens.iter().filter(|token| token.levels & level != 0);
    for token in tokens.take(MAX_TERMS) {
        let offset = match (previous, terms.last()) {
            (Some(previous), Some(term)) if previous.cjk || level == SUBPART => {
                term.offset + token.position - previous.position
            }
            (_, Some(term)) => term.offset + 1,
            _ => 0,
        };
        terms.push(QueryTerm {
            offset,
            term: token.term.clone(),
            unstemmed: token.unstemmed.clone(),
            exact: token.exact_term(),
        });
        previous = Some(token);
    }
    terms
}
