//! The matching documents of a segment, found document by document or window by window, whichever
//! is faster.

use tantivy::{DocId, TERMINATED};

use super::bm25::BOUND_MARGIN;
use super::bulk_scorer::{Candidate, WindowedScorer};
use super::scorer::Scorer;
use super::weight::Weight;
use crate::snapshot::Segment;

/// Iterates over documents that may match, in ascending order.
pub(crate) struct SegmentMatches {
    scorer: Scorer,
    /// Whether every document of the scorer matches with its upper bound as score.
    is_exact: bool,
    windows: Option<WindowedScorer>,
    doc: DocId,
    /// What the windowed scorer knows of the current document.
    candidate: Option<Candidate>,
    /// Upper bound of what boosts add to a score.
    max_boost: f32,
}

impl SegmentMatches {
    /// Starts at the first document. `boosts` add to scores and do not decide what matches.
    pub fn new(
        weight: &Weight,
        boosts: &[&Weight],
        segment: Segment<'_>,
    ) -> tantivy::Result<SegmentMatches> {
        let windows = WindowedScorer::new_if_faster(weight, boosts, segment)?;
        Ok(SegmentMatches::from_scorers(
            weight.scorer(segment)?,
            windows,
            boosts,
        ))
    }

    pub(super) fn from_scorers(
        scorer: Scorer,
        windows: Option<WindowedScorer>,
        boosts: &[&Weight],
    ) -> SegmentMatches {
        let max_boost = boosts
            .iter()
            .map(|boost| boost.max_score() * BOUND_MARGIN)
            .sum();
        let is_exact = scorer.is_exact();
        let doc = scorer.doc();
        let mut matches = SegmentMatches {
            scorer,
            is_exact,
            windows,
            doc,
            candidate: None,
            max_boost,
        };
        if matches.windows.is_some() {
            matches.advance();
        }
        matches
    }

    /// Returns the current document; [`TERMINATED`] at the end.
    #[inline]
    pub fn doc(&self) -> DocId {
        self.doc
    }

    /// Advances to the next document.
    #[inline]
    pub fn advance(&mut self) -> DocId {
        match &mut self.windows {
            None => self.doc = self.scorer.advance(),
            Some(windows) => {
                self.candidate = windows.advance();
                self.doc = self.candidate.map_or(TERMINATED, |candidate| candidate.doc);
            }
        }
        self.doc
    }

    /// Whether the current document matches.
    #[inline]
    pub fn matches(&mut self) -> bool {
        let is_sure = self
            .candidate
            .is_some_and(|candidate| !candidate.needs_check);
        is_sure || (self.seek_scorer() && self.scorer.matches())
    }

    /// Moves the scorer to the current document, unless it is there. Returns whether it has it.
    #[inline]
    fn seek_scorer(&mut self) -> bool {
        self.windows.is_none() || self.scorer.seek(self.doc) == self.doc
    }

    /// Returns an upper bound of the score with boosts of the current document, which must match.
    /// Cheap.
    #[inline]
    pub fn max_score(&self) -> f32 {
        self.candidate.map_or_else(
            || self.scorer.max_score() * BOUND_MARGIN + self.max_boost,
            |candidate| candidate.max_score,
        )
    }

    /// Returns the score without boosts of the current document, which must match.
    pub fn score(&mut self) -> f32 {
        if self.candidate.is_some() {
            self.scorer.seek(self.doc);
        } else if self.is_exact {
            return self.scorer.max_score();
        }
        self.scorer.score()
    }
}
