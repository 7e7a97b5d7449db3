//! Finds the documents with all words of a query one window of documents at a time.
//!
//! Where words are frequent, decoding all their postings is faster than seeking from document to
//! document. Each window has a bit set of candidates and an upper bound of their scores. Only plain
//! terms are evaluated here: a candidate that has a word only through something else (a phrase,
//! restricted text) needs a check by a [`Scorer`].

use tantivy::{DocId, TERMINATED};

use super::bm25::BOUND_MARGIN;
use super::scorer::Scorer;
use super::term_cursor::TermCursor;
use super::weight::Weight;
use super::window::{BIT_WORDS, BitSet, EMPTY, FULL, WINDOW, offset_in_window};
use crate::snapshot::Segment;
use word_sources::{WordSources, is_faster};

mod word_sources;

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
    /// The candidates that have a word only through something else than a plain term.
    needs_check: BitSet,
    /// Upper bounds of the scores, without the other boosts.
    max_scores: Box<[f32; WINDOW]>,
    /// The current word of `candidates`, and its bits that were not returned yet.
    bit_word: usize,
    bits: u64,
}

/// A document that has, or may have, all words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub doc: DocId,
    /// Upper bound of the score with boosts.
    pub max_score: f32,
    /// Whether it may lack a word.
    pub needs_check: bool,
}

/// A word with open postings of its terms, and scorers of its other sources.
struct Word {
    terms: Vec<TermCursor>,
    others: Vec<Scorer>,
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
            candidates: EMPTY,
            needs_check: EMPTY,
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
                let cursor =
                    cursors.find(|cursor| terms.iter().any(|(term, _)| cursor.is_of(term)));
                match cursor.and_then(TermCursor::bm25_mut) {
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
        Some(Candidate {
            doc: self.start + offset as DocId,
            max_score: (self.max_scores[offset] + self.max_other_boosts) * BOUND_MARGIN,
            needs_check: self.needs_check[self.bit_word] & bit != 0,
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
            (self.candidates, self.needs_check) = (EMPTY, EMPTY);
            self.max_scores.fill(0.0);
            let mut window = Window {
                start: self.start,
                max_scores: &mut self.max_scores,
                needs_check: &mut self.needs_check,
            };
            rarest.filter(&mut window, &FULL, &mut self.candidates);
            for word in others {
                let previous = std::mem::replace(&mut self.candidates, EMPTY);
                word.filter(&mut window, &previous, &mut self.candidates);
                if self.candidates == EMPTY {
                    break;
                }
            }
            if self.candidates != EMPTY {
                for boost in &mut self.boosts {
                    window.add_term(boost, &self.candidates, &mut EMPTY.clone());
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
    /// Adds to `matched` the candidates that have the term, and its score to theirs.
    fn add_term(&mut self, term: &mut TermCursor, candidates: &BitSet, matched: &mut BitSet) {
        if !term.has_scores() {
            return term.add_docs(self.start, candidates, matched);
        }
        let max_scores = &mut *self.max_scores;
        term.for_each_score(self.start, candidates, |offset, score| {
            matched[offset / 64] |= 1 << (offset % 64);
            max_scores[offset] += score;
        });
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
            window.add_term(term, candidates, matched);
        }
        // Documents without any of the terms.
        let mut unsure = EMPTY;
        for other in &mut self.others {
            let mut doc = other.seek(window.start);
            while let Some(offset) = offset_in_window(window.start, doc) {
                let bit_word = offset / 64;
                let bit = 1 << (offset % 64);
                if candidates[bit_word] & bit != 0 {
                    window.max_scores[offset] += other.max_score();
                    unsure[bit_word] |= bit & !matched[bit_word];
                }
                doc = other.advance();
            }
        }
        for (bit_word, unsure) in unsure.into_iter().enumerate() {
            matched[bit_word] |= unsure;
            window.needs_check[bit_word] |= unsure;
        }
    }
}
