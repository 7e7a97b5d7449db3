//! The words that a prefix begins.

use std::collections::HashMap;
use std::ops::Bound;
use tantivy::query::{InvertedIndexRangeQuery, Query};
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use super::analyzer::AS_WRITTEN;
use super::patience::Clock;

/// Of how many words that a prefix begins the most frequent are chosen.
const LOOKED_AT: usize = 20_000;

/// The words of a field that begin alike.
#[derive(Debug)]
pub(super) struct Expansion {
    /// The most frequent of them, as terms.
    pub terms: Vec<String>,
    /// Whether there are more: then [`rest`] matches them all.
    pub more: bool,
}

/// Looks up the words as written that begin with `prefix`, and the stems that do; `owner` stands before each term.
pub(super) fn expand(searcher: &Searcher, field: Field, owner: &str, prefix: &str, limit: usize) -> tantivy::Result<Expansion> {
    let mut frequencies: HashMap<String, u64> = HashMap::new();
    let (mut clock, mut cut) = (Clock::default(), false);
    for reader in searcher.segment_readers() {
        let index = reader.inverted_index(field)?;
        for (from, to) in ranges(owner, prefix) {
            let mut stream = index.terms().range().ge(&from).lt(&to).into_stream()?;
            while stream.advance() {
                clock.step()?;
                // The range matches what is not looked at any more.
                if frequencies.len() >= LOOKED_AT {
                    cut = true;
                    break;
                }
                if let Ok(term) = std::str::from_utf8(stream.key()) {
                    *frequencies.entry(term.to_owned()).or_default() += u64::from(stream.value().doc_freq);
                }
            }
        }
    }
    let mut terms: Vec<(u64, String)> = frequencies.into_iter().map(|(term, count)| (count, term)).collect();
    terms.sort_unstable_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let more = cut || terms.len() > limit;
    terms.truncate(limit);
    Ok(Expansion { terms: terms.into_iter().map(|(_, term)| term).collect(), more })
}

/// Matches every word that begins with `prefix`.
pub(super) fn rest(field: Field, owner: &str, prefix: &str) -> Vec<Box<dyn Query>> {
    let term = |text: &str| Term::from_field_text(field, text);
    let range = |(from, to): (String, String)| {
        Box::new(InvertedIndexRangeQuery::new(Bound::Included(term(&from)), Bound::Excluded(term(&to)))) as Box<dyn Query>
    };
    ranges(owner, prefix).map(range).into()
}

/// The two ranges of terms: as written, and stems.
fn ranges(owner: &str, prefix: &str) -> [(String, String); 2] {
    [format!("{owner}{AS_WRITTEN}{prefix}"), format!("{owner}{prefix}")].map(|from| (from.clone(), from + "\u{10FFFF}"))
}
