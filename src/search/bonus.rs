//! What only ranks: scores that are added where they can matter.
//!
//! A bonus never decides what is found. Its postings, and above all the positions of phrases, are read only for documents that could
//! come among the best with all that bonuses can add; of the others it is enough to know that they match.

use tantivy::query::{Bm25StatisticsProvider, Bm25Weight, EnableScoring, PhraseQuery, Query, Scorer, TermQuery, Weight};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Searcher, SeekDangerResult, SegmentReader, Term};

/// For what a bonus is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// A word stands in the title exactly as it was asked.
    ExactTitle,
    /// Neighbours in the question are neighbours in the text.
    AdjacentWords,
}

/// A term or a phrase whose BM25 score is added to that of a hit.
#[derive(Clone, Debug)]
pub(super) struct Bonus {
    pub reason: Reason,
    /// The terms of one field, each with its place in the phrase.
    pub terms: Vec<(usize, Term)>,
    /// How far the terms of a phrase may be off their places.
    pub slop: u32,
    /// What the score is multiplied by.
    pub factor: f32,
}

impl Bonus {
    /// The bonus made ready for a search; `None` when no record can have it.
    fn weigh(self, searcher: &Searcher, statistics: &dyn Bm25StatisticsProvider) -> tantivy::Result<Option<Weighed>> {
        let terms: Vec<Term> = self.terms.iter().map(|(_, term)| term.clone()).collect();
        for term in &terms {
            if searcher.doc_freq(term)? == 0 {
                return Ok(None);
            }
        }
        let Some(first) = terms.first() else { return Ok(None) };
        let most = Bm25Weight::for_terms(statistics, &terms)?.score(0, u32::MAX) * self.factor;
        let scoring = EnableScoring::enabled_from_statistics_provider(statistics, searcher);
        let weight = if terms.len() == 1 {
            TermQuery::new(first.clone(), IndexRecordOption::WithFreqs).weight(scoring)?
        } else {
            PhraseQuery::new_with_offset_and_slop(self.terms, self.slop).weight(scoring)?
        };
        Ok(Some(Weighed { reason: self.reason, weight, factor: self.factor, most }))
    }
}

/// Bonuses made ready for a search.
pub(super) fn weighed(bonuses: Vec<Bonus>, searcher: &Searcher, statistics: &dyn Bm25StatisticsProvider) -> tantivy::Result<Vec<Weighed>> {
    bonuses.into_iter().filter_map(|bonus| bonus.weigh(searcher, statistics).transpose()).collect()
}

/// A bonus that is ready for a search.
pub(super) struct Weighed {
    pub reason: Reason,
    weight: Box<dyn Weight>,
    factor: f32,
    /// More than this it adds to no score.
    most: f32,
}

/// The bonuses of a question in one segment. Documents are asked for in their order.
pub(super) struct Bonuses<'w> {
    reader: &'w SegmentReader,
    each: Vec<Cursor<'w>>,
}

struct Cursor<'w> {
    of: &'w Weighed,
    /// More than this the bonus and those after it add to no score.
    most: f32,
    scorer: Option<Box<dyn Scorer>>,
    /// No document before this one, of those not yet asked for, has the bonus.
    next: DocId,
}

/// Sums of the same floating-point numbers differ a little with their order; bounds are raised by more than that.
const MARGIN: f32 = 1.0001;

impl<'w> Bonuses<'w> {
    pub fn open(weighed: &'w [Weighed], reader: &'w SegmentReader) -> Bonuses<'w> {
        let mut most = 0.0;
        let mut each: Vec<Cursor<'w>> = Vec::with_capacity(weighed.len());
        for of in weighed.iter().rev() {
            most += of.most * MARGIN;
            each.push(Cursor { of, most, scorer: None, next: 0 });
        }
        each.reverse();
        Bonuses { reader, each }
    }

    /// The score of a document with its bonuses; `None` as soon as `matters` says no to the most that the score can still become.
    pub fn added(&mut self, mut score: f32, doc: DocId, matters: impl Fn(f32) -> bool) -> tantivy::Result<Option<f32>> {
        for cursor in &mut self.each {
            if !matters(score + cursor.most) {
                return Ok(None);
            }
            score += cursor.score(self.reader, doc)?;
        }
        Ok(matters(score).then_some(score))
    }

    /// What each bonus adds to the score of a document.
    pub fn of(&mut self, doc: DocId) -> tantivy::Result<Vec<(Reason, f32)>> {
        self.each.iter_mut().map(|cursor| Ok((cursor.of.reason, cursor.score(self.reader, doc)?))).collect()
    }
}

impl Cursor<'_> {
    fn score(&mut self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<f32> {
        if doc < self.next {
            return Ok(0.0);
        }
        let (found, scorer) = match &mut self.scorer {
            Some(scorer) => (scorer.seek_danger(doc), scorer),
            None => {
                let (found, scorer) = self.of.weight.scorer_danger(reader, doc, self.of.factor)?;
                (found, self.scorer.insert(scorer))
            }
        };
        match found {
            SeekDangerResult::Found => {
                self.next = doc + 1;
                Ok(scorer.score())
            }
            SeekDangerResult::SeekLowerBound(next) => {
                self.next = next;
                Ok(0.0)
            }
        }
    }
}
