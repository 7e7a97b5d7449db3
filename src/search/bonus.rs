//! What only ranks: scores that are added where they can matter.
//!
//! A bonus never decides what is found. Its postings, and above all the positions of phrases, are read only for documents that could
//! come among the best with all that bonuses can add; of the others it is enough to know that they match.

use tantivy::{DocId, Term};

use super::matching::{Clause, Cursor, MARGIN, Sought};
use super::snapshot::Segment;
use super::statistics::Statistics;

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

/// Bonuses made ready for a search, without those that no record can have.
pub(super) fn weighed(bonuses: Vec<Bonus>, statistics: &Statistics<'_>) -> tantivy::Result<Vec<Weighed>> {
    let weighed = bonuses.into_iter().map(|Bonus { reason, terms, slop, factor }| {
        let sought = Sought::of(&Clause::phrase(terms, slop).boosted(factor), true, statistics)?;
        Ok(Weighed { reason, sought })
    });
    weighed.filter(|weighed| !matches!(weighed, Ok(Weighed { sought: Sought::Nothing, .. }))).collect()
}

/// A bonus that is ready for a search.
pub(super) struct Weighed {
    pub reason: Reason,
    /// What must stand there.
    pub sought: Sought,
}

/// The bonuses of a question in one segment. Documents are asked for in their order.
pub(super) struct Bonuses<'w> {
    segment: Segment<'w>,
    each: Vec<Given<'w>>,
    /// More than this all of them add to no score.
    most: f32,
}

struct Given<'w> {
    of: &'w Weighed,
    /// More than this those after it add to no score.
    rest: f32,
    cursor: Option<Cursor>,
}

impl<'w> Bonuses<'w> {
    pub fn open(weighed: &'w [Weighed], segment: Segment<'w>) -> Bonuses<'w> {
        let mut most = 0.0;
        let mut each: Vec<Given<'w>> = Vec::with_capacity(weighed.len());
        for of in weighed.iter().rev() {
            each.push(Given { of, rest: most, cursor: None });
            most += of.sought.most() * MARGIN;
        }
        each.reverse();
        Bonuses { segment, each, most }
    }

    /// More than this they add to no score.
    pub fn most(&self) -> f32 {
        self.most
    }

    /// The score of a document with its bonuses; `None` as soon as `matters` says no to the most that the score can still become.
    pub fn added(&mut self, mut score: f32, doc: DocId, matters: impl Fn(f32) -> bool) -> tantivy::Result<Option<f32>> {
        for given in &mut self.each {
            let rest = given.rest;
            let Some(cursor) = given.at(self.segment, doc)? else { continue };
            if !matters(score + cursor.bound() * MARGIN + rest) {
                return Ok(None);
            }
            if cursor.holds() {
                score += cursor.score();
            }
        }
        Ok(matters(score).then_some(score))
    }

    /// What each bonus adds to the score of a document.
    pub fn of(&mut self, doc: DocId) -> tantivy::Result<Vec<(Reason, f32)>> {
        let segment = self.segment;
        let added = self.each.iter_mut().map(|given| {
            let reason = given.of.reason;
            let cursor = given.at(segment, doc)?;
            Ok((reason, cursor.map_or(0.0, |cursor| if cursor.holds() { cursor.score() } else { 0.0 })))
        });
        added.collect()
    }
}

impl Given<'_> {
    /// The cursor where it stands at the document, which may then have the bonus.
    fn at(&mut self, segment: Segment<'_>, doc: DocId) -> tantivy::Result<Option<&mut Cursor>> {
        if self.cursor.is_none() {
            self.cursor = Some(self.of.sought.open(segment)?);
        }
        Ok(self.cursor.as_mut().filter(|cursor| cursor.doc() <= doc).and_then(|cursor| (cursor.seek(doc) == doc).then_some(cursor)))
    }
}
