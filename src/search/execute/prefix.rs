//! Expands a prefix to the terms that start with it: the most frequent ones to score, and ranges
//! that match the others.

use std::collections::HashMap;
use std::ops::Bound;
use tantivy::query::{InvertedIndexRangeQuery, Query};
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use super::deadline::DeadlineCheck;
use crate::analyzer::EXACT_MARKER;

/// Maximum number of terms that are looked at to choose the most frequent ones.
const MAX_EXAMINED_TERMS: usize = 20_000;

/// The terms of a field that start with a prefix.
#[derive(Debug)]
pub(crate) struct Expansion {
    /// The most frequent ones.
    pub terms: Vec<String>,
    /// Whether there are others: then [`range_queries`] match them all.
    pub has_more: bool,
}

/// Looks up exact words and stems that start with `prefix`; `owner` precedes each term. Returns at
/// most `limit` terms.
pub(crate) fn expand(
    searcher: &Searcher,
    field: Field,
    owner: &str,
    prefix: &str,
    limit: usize,
) -> tantivy::Result<Expansion> {
    let mut frequencies: HashMap<String, u64> = HashMap::new();
    let mut deadline = DeadlineCheck::default();
    let mut is_cut = false;
    for reader in searcher.segment_readers() {
        let index = reader.inverted_index(field)?;
        for (start, end) in ranges(owner, prefix) {
            let mut stream = index.terms().range().ge(&start).lt(&end).into_stream()?;
            while stream.advance() {
                deadline.tick()?;
                if frequencies.len() >= MAX_EXAMINED_TERMS {
                    is_cut = true;
                    break;
                }
                if let Ok(term) = std::str::from_utf8(stream.key()) {
                    *frequencies.entry(term.to_owned()).or_default() +=
                        u64::from(stream.value().doc_freq);
                }
            }
        }
    }
    let mut terms: Vec<(u64, String)> = frequencies
        .into_iter()
        .map(|(term, doc_freq)| (doc_freq, term))
        .collect();
    terms.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let has_more = is_cut || terms.len() > limit;
    terms.truncate(limit);
    Ok(Expansion {
        terms: terms.into_iter().map(|(_, term)| term).collect(),
        has_more,
    })
}

/// Returns queries that match every term that starts with `prefix`.
pub(crate) fn range_queries(field: Field, owner: &str, prefix: &str) -> Vec<Box<dyn Query>> {
    let mut queries: Vec<Box<dyn Query>> = Vec::new();
    for (start, end) in ranges(owner, prefix) {
        let start = Bound::Included(Term::from_field_text(field, &start));
        let end = Bound::Excluded(Term::from_field_text(field, &end));
        queries.push(Box::new(InvertedIndexRangeQuery::new(start, end)));
    }
    queries
}

/// Returns the ranges of exact words and of stems, the end excluded.
fn ranges(owner: &str, prefix: &str) -> [(String, String); 2] {
    [
        format!("{owner}{EXACT_MARKER}{prefix}"),
        format!("{owner}{prefix}"),
    ]
    .map(|start| (start.clone(), start + "\u{10FFFF}"))
}
