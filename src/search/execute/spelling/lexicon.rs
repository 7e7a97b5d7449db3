//! Looks up similar words, and words with the same stem, in the terms of the index.

use std::collections::{BTreeSet, HashMap};
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use crate::analyzer::{EXACT_MARKER, Tokens};
use crate::execute::deadline::DeadlineCheck;
use quarry_domain::values::edit_distance::distance;

/// Minimum length of a corrected word: nearly every shorter word is one edit away from another.
const MIN_LEN: usize = 4;

/// Returns the words of a field with this many edits, with an upper bound of the number of
/// documents that have them.
pub(super) fn words_with_edits(
    searcher: &Searcher,
    field: Field,
    word: &str,
    edits: usize,
) -> tantivy::Result<HashMap<String, u64>> {
    let mut words = HashMap::new();
    let first: String = word.chars().take(1).collect();
    for marker in ["".to_owned(), EXACT_MARKER.to_string()] {
        let term = Term::from_field_text(field, &format!("{marker}{word}"));
        let max_edits = u8::try_from(edits).unwrap_or(2);
        let automaton = FuzzyTermQuery::new(term, max_edits, true).automaton()?;
        for reader in searcher.segment_readers() {
            let index = reader.inverted_index(field)?;
            let mut range = index.terms().search(&automaton);
            // So many words have two edits that the first letter must be the same.
            if edits > 1 {
                range = range
                    .ge(format!("{marker}{first}"))
                    .lt(format!("{marker}{first}\u{10FFFF}"));
            }
            let mut stream = range.into_stream()?;
            let mut deadline = DeadlineCheck::default();
            while stream.advance() {
                deadline.tick()?;
                let Ok(term) = std::str::from_utf8(stream.key()) else {
                    continue;
                };
                let candidate = term.strip_prefix(EXACT_MARKER).unwrap_or(term);
                if is_correctable(candidate) && distance(word, candidate) == edits {
                    *words.entry(candidate.to_owned()).or_default() +=
                        u64::from(stream.value().doc_freq);
                }
            }
        }
    }
    Ok(words)
}

/// Returns the words with two neighbouring letters of this word swapped.
pub(super) fn swaps(word: &str) -> BTreeSet<String> {
    let letters: Vec<char> = word.chars().collect();
    let swapped = (1..letters.len()).map(|index| {
        let mut letters = letters.clone();
        letters.swap(index - 1, index);
        letters.into_iter().collect()
    });
    swapped.filter(|swapped: &String| swapped != word).collect()
}

/// Returns the exact terms of other words with this stem.
pub(super) fn words_with_stem(
    searcher: &Searcher,
    field: Field,
    stem: &str,
) -> tantivy::Result<Vec<String>> {
    let mut terms = BTreeSet::new();
    // A stem starts like its words, except for its last letter: "happi" is the stem of "happy".
    let start: String = stem
        .chars()
        .take(stem.chars().count().saturating_sub(1))
        .collect();
    if !start.is_ascii() {
        return Ok(Vec::new());
    }
    for reader in searcher.segment_readers() {
        let index = reader.inverted_index(field)?;
        let range = index
            .terms()
            .range()
            .ge(format!("{EXACT_MARKER}{start}"))
            .lt(format!("{EXACT_MARKER}{start}\u{10FFFF}"));
        let mut stream = range.into_stream()?;
        let mut deadline = DeadlineCheck::default();
        while stream.advance() {
            deadline.tick()?;
            let Ok(term) = std::str::from_utf8(stream.key()) else {
                continue;
            };
            let word = term.strip_prefix(EXACT_MARKER).unwrap_or(term);
            if Tokens::all(word)
                .first()
                .is_some_and(|token| token.term == stem)
            {
                terms.insert(term.to_owned());
            }
        }
    }
    Ok(terms.into_iter().collect())
}

/// Whether a word consists of letters alone and is long enough to correct. Numbers, versions and
/// names with digits are taken as typed.
pub(super) fn is_correctable(word: &str) -> bool {
    word.chars().all(char::is_alphabetic) && word.chars().nth(MIN_LEN - 1).is_some()
}
