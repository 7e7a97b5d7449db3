//! Finds the documents with all words of a query one window of documents at a time.
//!
//! Where words are frequent, decoding all their postings is faster than seeking from document to
//! document. Each window has a bit set of candidates and an upper bound of their scores. Only plain
//! terms are evaluated here: a candidate that matches through something else (a phrase, restricted
//! text) needs a check by a [`Scorer`].

use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, TERMINATED};

use super::bm25::{BOUND_MARGIN, Bm25};
use super::scorer::Scorer;
use super::weight::{TermPostings, Weight};
use crate::snapshot::Segment;
use word_sources::{WordSources, is_faster};

mod word_sources;

/// Number of documents in a window. Its bounds and bits fit into the L1 cache of a processor.
const WINDOW: usize = 4096;
/// Number of 64-bit words in a bit set over a window.
const BIT_WORDS: usize = WINDOW / 64;
/// A set of documents of a window, as bits.
type BitSet = [u64; BIT_WORDS];

/// Iterates over the documents of a segment that have, or may have, all words.
pub(crate) struct WindowedScorer {
    /// The rarest word first.
    words: Vec<Word>,
    /// Terms that only add to scores.
    boosts: Vec<TermCursor>,
    /// Upper bound of what the other boosts add.
    max_other_boosts: f32,
    /// The first document of the window.
    start: DocId,
    /// The documents of the window that have all words.
    candidates: BitSet,
    /// The candidates that match through something else than a plain term.
    needs_check: BitSet,
    /// The scores of plain terms, with their boosts.
    max_scores: Box<[f32; WINDOW]>,
    /// The current word of `candidates`, and its bits that were not returned yet.
    bit_word: usize,
    bits: u64,
}

/// A document that has, or may have, all words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub doc: DocId,
    /// Upper bound of the score with boosts; `None` if the document needs a check.
    pub max_score: Option<f32>,
}

/// A word with open postings of its terms, and scorers of its other sources.
struct Word {
    terms: Vec<TermCursor>,
    others: Vec<Scorer>,
}

/// A position in the postings of a term.
struct TermCursor {
    /// The term infos by segment, which identify the term.
    infos: Arc<[Option<TermInfo>]>,
    postings: BlockSegmentPostings,
    /// The index in the current block.
    index: usize,
    fieldnorms: FieldNormReader,
    bm25: Option<Bm25>,
}

impl WindowedScorer {
    /// Creates a scorer if the query has a suitable form and seeking is not faster. `boosts` only
    /// add to scores.
    pub fn new_if_faster(
        weight: &Weight,
        boosts: &[&Weight],
        segment: Segment<'_>,
    ) -> tantivy::Result<Option<WindowedScorer>> {
        match WordSources::for_words(weight, segment) {
            Some(words) if is_faster(&words) => {
                WindowedScorer::new(&words, boosts, segment).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Creates a scorer if the query has a suitable form.
    #[cfg(test)]
    pub fn new_if_possible(
        weight: &Weight,
        boosts: &[&Weight],
        segment: Segment<'_>,
    ) -> tantivy::Result<Option<WindowedScorer>> {
        WordSources::for_words(weight, segment)
            .map(|words| WindowedScorer::new(&words, boosts, segment))
            .transpose()
    }

    fn new(
        words: &[WordSources<'_>],
        boosts: &[&Weight],
        segment: Segment<'_>,
    ) -> tantivy::Result<WindowedScorer> {
        let mut words: Vec<&WordSources<'_>> = words.iter().collect();
        words.sort_by_key(|word| word.term_postings.saturating_add(word.other_docs));
        let mut windowed = WindowedScorer {
            words: words
                .into_iter()
                .map(|sources| Word::open(sources, segment))
                .collect::<tantivy::Result<_>>()?,
            boosts: Vec::new(),
            max_other_boosts: 0.0,
            start: 0,
            candidates: [0; BIT_WORDS],
            needs_check: [0; BIT_WORDS],
            max_scores: Box::new([0.0; WINDOW]),
            bit_word: BIT_WORDS,
            bits: 0,
        };
        for boost in boosts {
            windowed.add_boost(boost, segment)?;
        }
        Ok(windowed)
    }

    /// Adds what only adds to scores. A phrase occurs no more often than its rarest term and has
    /// the same field norm, so its bound can be computed together with the score of one of its
    /// terms.
    fn add_boost(&mut self, boost: &Weight, segment: Segment<'_>) -> tantivy::Result<()> {
        match boost {
            Weight::Term(term, bm25) => {
                self.boosts
                    .extend(TermCursor::open(term, bm25.as_ref(), segment)?)
            }
            Weight::Phrase(terms, _, Some(phrase_bm25)) => {
                let mut cursors = self.words.iter_mut().flat_map(|word| &mut word.terms);
                let cursor = cursors
                    .find(|cursor| terms.iter().any(|(term, _)| term.has_infos(&cursor.infos)));
                match cursor.and_then(|cursor| cursor.bm25.as_mut()) {
                    Some(bm25) if bm25.has_same_norms(phrase_bm25) => bm25.add_weight(phrase_bm25),
                    _ => self.max_other_boosts += phrase_bm25.max_score(),
                }
            }
            other => self.max_other_boosts += other.max_score(),
        }
        Ok(())
    }

    /// Returns the next candidate.
    #[inline]
    pub fn advance(&mut self) -> Option<Candidate> {
        while self.bits == 0 {
            self.bit_word += 1;
            if self.bit_word >= BIT_WORDS && !self.fill() {
                return None;
            }
            self.bits = self.candidates[self.bit_word];
        }
        let bit = self.bits & self.bits.wrapping_neg();
        self.bits ^= bit;
        let offset = self.bit_word * 64 + bit.trailing_zeros() as usize;
        let is_sure = self.needs_check[self.bit_word] & bit == 0;
        let max_score =
            is_sure.then(|| (self.max_scores[offset] + self.max_other_boosts) * BOUND_MARGIN);
        Some(Candidate {
            doc: self.start + offset as DocId,
            max_score,
        })
    }

    /// Evaluates the next window that has candidates; `false` if there is none.
    fn fill(&mut self) -> bool {
        loop {
            let Some((rarest, others)) = self.words.split_first_mut() else {
                return false;
            };
            self.start = rarest.doc();
            if self.start == TERMINATED {
                return false;
            }
            (self.candidates, self.needs_check) = ([0; BIT_WORDS], [0; BIT_WORDS]);
            self.max_scores.fill(0.0);
            let mut window = Window {
                start: self.start,
                max_scores: &mut self.max_scores,
                needs_check: &mut self.needs_check,
            };
            rarest.filter(&mut window, &[u64::MAX; BIT_WORDS], &mut self.candidates);
            for word in others {
                let previous = std::mem::replace(&mut self.candidates, [0; BIT_WORDS]);
                word.filter(&mut window, &previous, &mut self.candidates);
                if self.candidates == [0; BIT_WORDS] {
                    break;
                }
            }
            if self.candidates != [0; BIT_WORDS] {
                for boost in &mut self.boosts {
                    boost.filter(&mut window, &self.candidates, &mut [0; BIT_WORDS]);
                }
                (self.bit_word, self.bits) = (0, self.candidates[0]);
                return true;
            }
        }
    }
}

/// The window that is being evaluated: upper bounds of scores, and which documents need a check.
struct Window<'s> {
    start: DocId,
    max_scores: &'s mut [f32; WINDOW],
    needs_check: &'s mut BitSet,
}

impl Window<'_> {
    /// Returns the offset of a document; `None` if it is after the window.
    #[inline]
    fn offset(&self, doc: DocId) -> Option<usize> {
        let offset = (doc - self.start) as usize;
        (offset < WINDOW).then_some(offset)
    }
}

impl Word {
    fn open(sources: &WordSources<'_>, segment: Segment<'_>) -> tantivy::Result<Word> {
        let terms = sources
            .terms
            .iter()
            .filter_map(|(term, bm25)| TermCursor::open(term, *bm25, segment).transpose());
        let terms = terms.collect::<tantivy::Result<_>>()?;
        let others = sources
            .others
            .iter()
            .map(|other| other.scorer(segment))
            .collect::<tantivy::Result<_>>()?;
        Ok(Word { terms, others })
    }

    /// Returns the current document, the lowest of all sources.
    fn doc(&self) -> DocId {
        let terms = self
            .terms
            .iter()
            .map(TermCursor::doc)
            .min()
            .unwrap_or(TERMINATED);
        self.others.iter().map(Scorer::doc).fold(terms, DocId::min)
    }

    /// Adds to `matched` the candidates of the window that have the word.
    fn filter(&mut self, window: &mut Window<'_>, candidates: &BitSet, matched: &mut BitSet) {
        for term in &mut self.terms {
            term.filter(window, candidates, matched);
        }
        for other in &mut self.others {
            let mut doc = other.seek(window.start);
            while let Some(offset) = window.offset(doc) {
                let bit_word = offset / 64;
                let bit = 1 << (offset % 64);
                matched[bit_word] |= candidates[bit_word] & bit;
                window.needs_check[bit_word] |= bit;
                doc = other.advance();
            }
        }
    }
}

impl TermCursor {
    /// Opens the postings of a segment; `None` if the segment does not have the term.
    fn open(
        term: &TermPostings,
        bm25: Option<&Bm25>,
        segment: Segment<'_>,
    ) -> tantivy::Result<Option<TermCursor>> {
        let option = if bm25.is_some() {
            IndexRecordOption::WithFreqs
        } else {
            IndexRecordOption::Basic
        };
        let Some(postings) = term.block_postings(segment.ord, option)? else {
            return Ok(None);
        };
        let infos = term.infos();
        let fieldnorms = term.fieldnorms(segment)?;
        Ok(Some(TermCursor {
            infos,
            postings,
            index: 0,
            fieldnorms,
            bm25: bm25.cloned(),
        }))
    }

    fn doc(&self) -> DocId {
        self.postings
            .docs()
            .get(self.index)
            .copied()
            .unwrap_or(TERMINATED)
    }

    /// Adds to `matched` the candidates of the window that have the term, and its score to theirs.
    fn filter(&mut self, window: &mut Window<'_>, candidates: &BitSet, matched: &mut BitSet) {
        if self.doc() < window.start {
            self.index = self.postings.seek(window.start);
        }
        loop {
            let docs = self.postings.docs();
            let freqs = self.postings.freqs();
            let rest = docs.get(self.index..).unwrap_or_default();
            let inside = rest.partition_point(|doc| window.offset(*doc).is_some());
            let freqs = freqs.get(self.index..).unwrap_or_default();
            match &self.bm25 {
                Some(bm25) => {
                    for (n, doc) in rest[..inside].iter().enumerate() {
                        let offset = (doc - window.start) as usize % WINDOW;
                        let bit_word = offset / 64;
                        let bit = 1 << (offset % 64);
                        if candidates[bit_word] & bit != 0 {
                            matched[bit_word] |= bit;
                            // A field may be indexed without frequencies.
                            let term_freq = freqs.get(n).copied().unwrap_or(1);
                            window.max_scores[offset] +=
                                bm25.score(self.fieldnorms.fieldnorm_id(*doc), term_freq);
                        }
                    }
                }
                None => {
                    for doc in &rest[..inside] {
                        let offset = (doc - window.start) as usize % WINDOW;
                        matched[offset / 64] |= candidates[offset / 64] & 1 << (offset % 64);
                    }
                }
            }
            self.index += inside;
            if inside < rest.len() || docs.is_empty() {
                return;
            }
            self.postings.advance();
            self.index = 0;
        }
    }
}
