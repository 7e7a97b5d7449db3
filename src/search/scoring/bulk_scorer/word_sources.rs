//! The sources through which a document can match each word of a query, and whether evaluating them
//! by windows pays off.

use crate::scoring::bm25::Bm25;
use crate::scoring::term_postings::TermPostings;
use crate::scoring::weight::Weight;
use crate::snapshot::Segment;

/// Minimum number of postings; with fewer the set-up costs more than it saves.
const MIN_POSTINGS: u64 = 100;
/// Maximum ratio of all postings to those of the rarest word; above it, seeking the other words is
/// faster.
const MAX_POSTINGS_PER_RAREST: u64 = 32;
/// Minimum ratio of the postings of plain terms to the other documents where all of several words
/// must match; below it, too many candidates need a check.
const MIN_PLAIN_RATIO: u64 = 4;

/// The sources through which a document of a segment can match a word: plain terms, and others.
#[derive(Default)]
pub(super) struct WordSources<'s> {
    pub terms: Vec<(&'s TermPostings, Option<&'s Bm25>)>,
    pub others: Vec<&'s Weight>,
    /// Number of postings of the terms.
    pub term_postings: u64,
    /// Estimated number of documents of the others.
    pub other_docs: u64,
}

/// Whether windows are expected to be faster than seeking.
pub(super) fn is_faster(words: &[WordSources<'_>]) -> bool {
    let term_postings: u64 = words.iter().map(|word| word.term_postings).sum();
    let other_docs = words
        .iter()
        .fold(0, |sum: u64, word| sum.saturating_add(word.other_docs));
    let rarest = words
        .iter()
        .map(|word| word.term_postings.saturating_add(word.other_docs))
        .min()
        .unwrap_or(0);
    term_postings >= MIN_POSTINGS
        && term_postings <= rarest.saturating_mul(MAX_POSTINGS_PER_RAREST)
        && (words.len() == 1 || other_docs.saturating_mul(MIN_PLAIN_RATIO) <= term_postings)
}

impl<'s> WordSources<'s> {
    /// Returns the sources of each word; `None` if a word has no plain term in the segment.
    pub fn for_words(weight: &'s Weight, segment: Segment<'_>) -> Option<Vec<WordSources<'s>>> {
        let words = if let Weight::Intersection(words) = weight {
            words.as_slice()
        } else {
            std::slice::from_ref(weight)
        };
        let words = words.iter().map(|word| {
            let mut sources = WordSources::default();
            sources.add(word);
            sources.term_postings = sources
                .terms
                .iter()
                .map(|(term, _)| term.doc_freq(segment.ord))
                .sum();
            sources.other_docs = sources
                .others
                .iter()
                .fold(0, |sum: u64, other| sum.saturating_add(other.cost(segment)));
            (sources.term_postings > 0).then_some(sources)
        });
        words.collect()
    }

    /// Adds a weight. The bounds of all sources are summed, which is also a bound where only the
    /// best one counts.
    fn add(&mut self, weight: &'s Weight) {
        match weight {
            Weight::Union(weights, _) => weights.iter().for_each(|weight| self.add(weight)),
            Weight::Term(term, bm25) => self.terms.push((term, bm25.as_ref())),
            other => self.others.push(other),
        }
    }
}
