//! Finds the documents that match each of several weights, one window of documents at a time.
//!
//! The postings of a term are read once, however many weights share it. So the hits of many queries with
//! the same words can be counted in one pass.

use std::collections::HashMap;
use tantivy::{DocId, TERMINATED};

use super::scorer::Scorer;
use super::term_cursor::TermCursor;
use super::term_postings::{TermId, TermPostings};
use super::weight::Weight;
use super::window::{BIT_WORDS, BitSet, EMPTY, FULL, offset_in_window};
use crate::snapshot::Segment;

/// Maximum number of documents of a window that are looked up one by one; for more, all postings of
/// the window are read.
const MAX_SEEKS: usize = 32;

/// Iterates over the windows of a segment.
pub(crate) struct MatchWindows {
    terms: Vec<Source<TermCursor>>,
    others: Vec<Source<Scorer>>,
    /// The first document of the window.
    start: DocId,
    /// The documents of the window that match each weight.
    matched: Vec<BitSet>,
}

/// Postings through which documents match, and the indexes of the weights that have them.
struct Source<P> {
    postings: P,
    weights: Vec<usize>,
}

/// Returns the word of a [`BitSet`] and the bit of a document in the window with this first
/// document.
fn bit_of(start: DocId, doc: DocId) -> (usize, u64) {
    let offset = (doc - start) as usize;
    (offset / 64, 1 << (offset % 64))
}

impl MatchWindows {
    /// Starts before the first document of the segment.
    pub fn new(weights: &[Weight], segment: Segment<'_>) -> tantivy::Result<MatchWindows> {
        // A prefix may have many terms, so that they are looked up; there are few others.
        let mut terms: HashMap<TermId, (&TermPostings, Vec<usize>)> = HashMap::new();
        let mut others: Vec<(&Weight, Vec<usize>)> = Vec::new();
        for (index, weight) in weights.iter().enumerate() {
            weight.for_each_source(&mut |source| {
                let weights = if let Weight::Term(term, _) = source {
                    &mut terms.entry(term.id()).or_insert((term, Vec::new())).1
                } else {
                    let known = others
                        .iter()
                        .position(|(known, _)| known.has_same_source(source));
                    let place = known.unwrap_or(others.len());
                    if known.is_none() {
                        others.push((source, Vec::new()));
                    }
                    &mut others[place].1
                };
                if weights.last() != Some(&index) {
                    weights.push(index);
                }
            });
        }
        let mut windows = MatchWindows {
            terms: Vec::with_capacity(terms.len()),
            others: Vec::with_capacity(others.len()),
            start: 0,
            matched: vec![EMPTY; weights.len()],
        };
        for (term, weights) in terms.into_values() {
            let postings = TermCursor::open(term, None, segment)?;
            windows
                .terms
                .extend(postings.map(|postings| Source { postings, weights }));
        }
        for (source, weights) in others {
            let postings = source.scorer(segment)?;
            windows.others.push(Source { postings, weights });
        }
        Ok(windows)
    }

    /// Moves to the next window with documents, and finds which of them match; `false` at the
    /// end. Documents that `may_count` rejects may be missing: [`MatchWindows::retain`] still has to
    /// remove the others.
    pub fn advance(
        &mut self,
        mut may_count: impl FnMut(DocId) -> tantivy::Result<bool>,
    ) -> tantivy::Result<bool> {
        let terms = self.terms.iter().map(|source| source.postings.doc());
        let others = self.others.iter().map(|source| source.postings.doc());
        self.start = terms.chain(others).min().unwrap_or(TERMINATED);
        if self.start == TERMINATED {
            return Ok(false);
        }
        self.matched.fill(EMPTY);
        for source in &mut self.terms {
            let mut docs = EMPTY;
            source.postings.add_docs(self.start, &FULL, &mut docs);
            for weight in &source.weights {
                for (matched, docs) in self.matched[*weight].iter_mut().zip(docs) {
                    *matched |= docs;
                }
            }
        }
        for source in &mut self.others {
            let mut doc = source.postings.doc();
            while let Some(offset) = offset_in_window(self.start, doc) {
                let bit_word = offset / 64;
                let bit = 1 << (offset % 64);
                let is_known = source
                    .weights
                    .iter()
                    .all(|weight| self.matched[*weight][bit_word] & bit != 0);
                if !is_known && may_count(doc)? && source.postings.matches() {
                    for weight in &source.weights {
                        self.matched[*weight][bit_word] |= bit;
                    }
                }
                doc = source.postings.advance();
            }
        }
        Ok(true)
    }

    /// Moves to the window that starts with the first of these documents, which are in ascending
    /// order, and finds which of those in it match. Returns how many are in it.
    pub fn advance_among(&mut self, docs: &[DocId]) -> usize {
        self.matched.fill(EMPTY);
        let Some(start) = docs.first().copied() else {
            return 0;
        };
        self.start = start;
        let in_window = docs.partition_point(|doc| offset_in_window(start, *doc).is_some());
        let docs = &docs[..in_window];
        let mut among = EMPTY;
        for doc in docs {
            let (bit_word, bit) = bit_of(start, *doc);
            among[bit_word] |= bit;
        }
        for source in &mut self.terms {
            let mut found = EMPTY;
            if in_window <= MAX_SEEKS {
                source.postings.find_docs(start, docs, &mut found);
            } else {
                source.postings.add_docs(start, &among, &mut found);
            }
            for weight in &source.weights {
                for (matched, found) in self.matched[*weight].iter_mut().zip(found) {
                    *matched |= found;
                }
            }
        }
        for source in &mut self.others {
            for doc in docs {
                if source.postings.seek(*doc) == *doc && source.postings.matches() {
                    let (bit_word, bit) = bit_of(start, *doc);
                    for weight in &source.weights {
                        self.matched[*weight][bit_word] |= bit;
                    }
                }
            }
        }
        in_window
    }

    /// Returns the documents of the window that match each weight.
    pub fn matched(&self) -> &[BitSet] {
        &self.matched
    }

    /// Removes the documents for which `counts` returns `false`. It is called in ascending order,
    /// for each document that matches any weight.
    pub fn retain(
        &mut self,
        mut counts: impl FnMut(DocId) -> tantivy::Result<bool>,
    ) -> tantivy::Result<()> {
        for bit_word in 0..BIT_WORDS {
            let any = self
                .matched
                .iter()
                .fold(0, |any, matched| any | matched[bit_word]);
            let mut rest: u64 = any;
            let mut retained = 0;
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                rest ^= bit;
                let offset = bit_word as DocId * 64 + bit.trailing_zeros();
                if counts(self.start + offset)? {
                    retained |= bit;
                }
            }
            if retained != any {
                for matched in &mut self.matched {
                    matched[bit_word] &= retained;
                }
            }
        }
        Ok(())
    }
}
