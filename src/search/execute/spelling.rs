//! Spelling correction: for words that no visible record has, and for words that are far rarer than
//! a similar one.
//!
//! Similar words are looked up in the main text of records, each only if the viewer may see a
//! record that has it. Private notes and custom fields provide no words. Invariant: hidden records
//! decide neither that a word is correct nor which words are suggested.

use std::cell::{OnceCell, RefCell};
use std::cmp::Reverse;
use std::collections::HashMap;
use tantivy::Term;
use tantivy::schema::Field;

use super::correction::{Candidate, Correction, MAX_CANDIDATES, Misspelling};
use super::planner::Planner;
use crate::access::filter::DocFilter;
use crate::analyzer::{AnalyzedToken, EXACT_MARKER, SUBPART, Tokens};
use crate::query::parsed_query::ParsedQuery;
use crate::query::token::{Token, TokenKind};
use crate::query::word::Word;
use crate::snapshot::Snapshot;
use lexicon::{is_correctable, swaps, words_with_edits};
use quarry_domain::index_feed::kind::Kind;

mod counts;
mod lexicon;

/// Maximum number of words of a query that are corrected.
const MAX_MISSPELLINGS: usize = 5;
/// Minimum length of a word that may have two edits, neither of them in the first letter.
const MIN_LEN_FOR_TWO_EDITS: usize = 8;
/// A candidate that is this many times less likely than the best one is dropped: it is probably a
/// misspelling itself.
const MAX_LIKELIHOOD_RATIO: u64 = 10;
/// How many times more likely a swap of two adjacent letters is than any other single edit.
const SWAP_LIKELIHOOD: u64 = 25;
/// Maximum number of records that count for the likelihood of a word.
const MAX_COUNT: u64 = 10_000;
/// A word that some records have is taken for a misspelling if a similar word is at least this many
/// times likelier. Measured on queries with relevance judgements (see `index-schema/README.md`).
const MIN_RARE_RATIO: u64 = 500;
/// A word that more records have is not taken for a misspelling: no similar word could be so much
/// likelier.
const MAX_RARE_COUNT: u64 = MAX_COUNT * SWAP_LIKELIHOOD / MIN_RARE_RATIO;

/// Maximum number of scopes whose records are counted to bound the number of visible ones.
const MAX_COUNTED_SCOPES: usize = 200;

/// Which words are taken for misspellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misspelled {
    /// Words that no visible record has.
    Unknown,
    /// Words that some visible records have, if a word with one edit is [`MIN_RARE_RATIO`] times
    /// likelier.
    Rare,
}

impl Misspelled {
    /// Whether a word that this many visible records have may be misspelled.
    fn includes(self, count: u64) -> bool {
        match self {
            Misspelled::Unknown => count == 0,
            Misspelled::Rare => (1..=MAX_RARE_COUNT).contains(&count),
        }
    }
}

/// Corrects queries with the words of records that a viewer may see.
pub(crate) struct SpellChecker<'q> {
    /// Plans how words are searched, in titles and texts alike.
    planner: Planner<'q>,
    /// Passes all that the viewer may see.
    filter: DocFilter,
    snapshot: &'q Snapshot,
    /// What [`SpellChecker::max_count`] returns, once it was computed.
    max_count: OnceCell<u64>,
    /// The number of visible records that match each word, as far as words were counted.
    counts: RefCell<HashMap<Word, u64>>,
}

impl<'q> SpellChecker<'q> {
    /// Creates a spell checker for what this planner's viewer may see.
    pub fn new(planner: Planner<'q>) -> SpellChecker<'q> {
        SpellChecker {
            planner,
            filter: DocFilter::new(planner.visibility, &Kind::ALL, None, None),
            snapshot: planner.statistics.snapshot(),
            max_count: OnceCell::new(),
            counts: RefCell::default(),
        }
    }
}

impl SpellChecker<'_> {
    /// Looks for candidates for each misspelled word; `None` if there is nothing to correct.
    pub fn correct<'q>(
        &self,
        query: &'q ParsedQuery,
        misspelled: Misspelled,
    ) -> tantivy::Result<Option<Correction<'q>>> {
        let bounds = &self.planner.config.bounds;
        if misspelled == Misspelled::Rare {
            let alone: Vec<Word> = query.every_word().map(Word::alone).collect();
            self.count_words(&alone)?;
        }
        // Words with the number of their visible records, and the indexes of their tokens.
        let mut words: Vec<(u64, &Word, &str, Vec<usize>)> = Vec::new();
        for (index, token) in positive_tokens(&query.tokens) {
            let TokenKind::Word(text) = &token.kind else {
                continue;
            };
            let word = Word::parse(text, false, bounds).filter(|_| !text.ends_with('*'));
            let Some(word) = word.and_then(|word| query.find(&word)) else {
                continue;
            };
            match words
                .iter_mut()
                .find(|(_, other, ..)| other.has_same_text(word))
            {
                Some((.., tokens)) => tokens.push(index),
                None => words.push((
                    self.count_as(misspelled, &word.alone())?,
                    word,
                    text,
                    vec![index],
                )),
            }
        }
        words.retain(|(count, ..)| misspelled.includes(*count));
        if misspelled == Misspelled::Rare {
            // Of several rare words, the rarest is the likeliest misspelling.
            let rarest = words.iter().map(|(count, ..)| *count).min();
            let max_likelihood = self.max_count()? * SWAP_LIKELIHOOD;
            words.retain(|(count, ..)| {
                Some(*count) == rarest && count * MIN_RARE_RATIO <= max_likelihood
            });
            words.truncate(1);
        }
        let mut misspellings: Vec<Misspelling> = Vec::new();
        for (.., text, tokens) in words {
            let candidates = if misspellings.len() < MAX_MISSPELLINGS {
                self.candidates(text, misspelled)?
            } else {
                Vec::new()
            };
            if !candidates.is_empty() {
                misspellings.push(Misspelling { tokens, candidates });
            }
        }
        Ok((!misspellings.is_empty()).then(|| Correction::new(query, misspellings)))
    }

    /// Returns the text of a word with its misspelled parts corrected, the most likely candidate
    /// first.
    fn candidates(&self, text: &str, misspelled: Misspelled) -> tantivy::Result<Vec<Candidate>> {
        let tokens = Tokens::all(text);
        let mut parts: Vec<(&AnalyzedToken, Vec<String>)> = Vec::new();
        for token in tokens
            .iter()
            .filter(|token| token.levels & SUBPART != 0 && is_correctable(&token.unstemmed))
        {
            let Some(word) = Word::from_tokens(std::slice::from_ref(token)) else {
                continue;
            };
            let count = self.count_as(misspelled, &word)?;
            if !misspelled.includes(count) {
                continue;
            }
            let similar = self.similar_words(token, count)?;
            if !similar.is_empty() {
                parts.push((token, similar));
            }
        }
        let count = parts
            .iter()
            .map(|(_, similar)| similar.len())
            .max()
            .unwrap_or(0);
        Ok((0..count)
            .map(|index| replace_parts(text, &parts, index))
            .collect())
    }

    /// Returns similar words that visible records have, the most likely first: those with the
    /// fewest edits, by frequency, with swapped letters preferred. `count` visible records have the
    /// word itself.
    fn similar_words(&self, token: &AnalyzedToken, count: u64) -> tantivy::Result<Vec<String>> {
        let word = token.unstemmed.as_str();
        let min_likelihood = (count * MIN_RARE_RATIO).max(1);
        let max_edits = if count > 0 || word.chars().count() < MIN_LEN_FOR_TWO_EDITS {
            1
        } else {
            2
        };
        for edits in 1..=max_edits {
            // Only swapped letters can be likely enough for a viewer who sees few records.
            let mut indexed = if self.max_count()? < min_likelihood {
                self.indexed_swaps(word)?
            } else {
                self.indexed_words(word, edits)?
            };
            indexed.sort_unstable_by_key(|(max_likelihood, ..)| Reverse(*max_likelihood));
            let mut best: Vec<(u64, String)> = Vec::new();
            for (max_likelihood, field, candidate) in indexed {
                // Neither this word nor a later one can be among the best any more.
                let highest = best.first().map_or(0, |(likelihood, _)| *likelihood);
                let is_full = best
                    .get(MAX_CANDIDATES - 1)
                    .is_some_and(|(likelihood, _)| max_likelihood < *likelihood);
                if max_likelihood < min_likelihood
                    || max_likelihood * MAX_LIKELIHOOD_RATIO < highest
                    || is_full
                {
                    break;
                }
                // Words of the same stem match anyway.
                if count > 0
                    && Tokens::all(&candidate)
                        .first()
                        .is_some_and(|other| other.term == token.term)
                {
                    continue;
                }
                let likelihood = self.count(field, &candidate)? * edit_likelihood(word, &candidate);
                if likelihood >= min_likelihood && best.iter().all(|(_, word)| *word != candidate) {
                    best.push((likelihood, candidate));
                    best.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
                    best.truncate(MAX_CANDIDATES);
                }
            }
            if let Some((highest, _)) = best.first().cloned() {
                let likely = best
                    .into_iter()
                    .filter(|(likelihood, _)| likelihood * MAX_LIKELIHOOD_RATIO >= highest);
                return Ok(likely.map(|(_, word)| word).collect());
            }
        }
        Ok(Vec::new())
    }

    /// Returns the words of the main text with this many edits, each with its field and an upper
    /// bound of its likelihood, which counts hidden records too.
    fn indexed_words(
        &self,
        word: &str,
        edits: usize,
    ) -> tantivy::Result<Vec<(u64, Field, String)>> {
        let max_count = self.max_count()?;
        let mut all = Vec::new();
        for text in &self.planner.fields.text {
            let words = words_with_edits(&self.snapshot.searcher, text.field, word, edits)?;
            all.extend(words.into_iter().map(|(similar, doc_freq)| {
                let max_likelihood = doc_freq.min(max_count) * edit_likelihood(word, &similar);
                (max_likelihood, text.field, similar)
            }));
        }
        Ok(all)
    }

    /// Returns the same for the words with two neighbouring letters swapped alone, which needs no
    /// scan of the terms.
    fn indexed_swaps(&self, word: &str) -> tantivy::Result<Vec<(u64, Field, String)>> {
        let max_count = self.max_count()?;
        let mut all = Vec::new();
        for text in &self.planner.fields.text {
            for similar in swaps(word) {
                let mut doc_freq = 0;
                for term in [similar.clone(), format!("{EXACT_MARKER}{similar}")] {
                    let term = Term::from_field_text(text.field, &term);
                    doc_freq += self.planner.statistics.doc_freq(&term)?;
                }
                if doc_freq > 0 {
                    let max_likelihood = doc_freq.min(max_count) * SWAP_LIKELIHOOD;
                    all.push((max_likelihood, text.field, similar));
                }
            }
        }
        Ok(all)
    }
}

/// Returns the tokens that are neither negated nor in a negated group, with their indexes.
fn positive_tokens(tokens: &[Token]) -> impl Iterator<Item = (usize, &Token)> {
    let mut groups: Vec<bool> = Vec::new();
    tokens.iter().enumerate().filter(move |(_, token)| {
        match token.kind {
            TokenKind::Open => groups.push(token.negated),
            TokenKind::Close => drop(groups.pop()),
            _ => {}
        }
        !token.negated && !groups.contains(&true)
    })
}

/// Returns how likely the edits from one word to the other are.
fn edit_likelihood(typed: &str, intended: &str) -> u64 {
    if sorted_letters(typed) == sorted_letters(intended) {
        SWAP_LIKELIHOOD
    } else {
        1
    }
}

fn sorted_letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// Returns a text in which each of the misspelled parts is replaced by the similar word with this
/// index, or by the last one.
fn replace_parts(text: &str, parts: &[(&AnalyzedToken, Vec<String>)], index: usize) -> Candidate {
    let mut text = text.to_owned();
    let mut likelihood = 1;
    // From the end, so that the offsets of the parts before stay valid.
    for (token, similar) in parts.iter().rev() {
        let word = &similar[index.min(similar.len() - 1)];
        if text[token.from..].starts_with(char::is_uppercase) {
            text.replace_range(token.from..token.to, &capitalize(word));
        } else {
            text.replace_range(token.from..token.to, word);
        }
        likelihood = edit_likelihood(&token.unstemmed, word).saturating_mul(likelihood);
    }
    Candidate {
        text,
        edit_likelihood: likelihood,
    }
}

fn capitalize(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
