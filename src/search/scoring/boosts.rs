//! Boosts: scores for exact titles and adjacent words.
//!
//! A boost never decides what matches. Its postings, and above all the positions of phrases, are
//! read only for documents that could become hits with all that boosts can add.

use tantivy::{DocId, Term};

use super::bm25::BOUND_MARGIN;
use super::query::Query;
use super::scorer::Scorer;
use super::statistics::Statistics;
use super::weight::Weight;
use crate::snapshot::Segment;

/// What a boost rewards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoostKind {
    /// The title contains a word exactly as it is in the query.
    ExactTitle,
    /// Words that are adjacent in the query are adjacent in the text.
    AdjacentWords,
}

/// A term or phrase whose BM25 score is added to that of a hit.
#[derive(Clone, Debug)]
pub(crate) struct Boost {
    pub kind: BoostKind,
    /// The terms of one field, each with its offset in the phrase.
    pub terms: Vec<(usize, Term)>,
    /// How many positions the terms of a phrase may be out of place.
    pub slop: u32,
    /// The factor of the score.
    pub factor: f32,
}

/// A boost whose terms are looked up.
pub(crate) struct CompiledBoost {
    pub kind: BoostKind,
    pub weight: Weight,
}

/// Compiles boosts and leaves out those that no record can have.
pub(crate) fn compile_boosts(
    boosts: Vec<Boost>,
    statistics: &Statistics<'_>,
) -> tantivy::Result<Vec<CompiledBoost>> {
    let compiled = boosts.into_iter().map(
        |Boost {
             kind,
             terms,
             slop,
             factor,
         }| {
            let weight =
                Weight::compile(&Query::phrase(terms, slop).boost(factor), true, statistics)?;
            Ok(CompiledBoost { kind, weight })
        },
    );
    compiled
        .filter(|boost| {
            !matches!(
                boost,
                Ok(CompiledBoost {
                    weight: Weight::Empty,
                    ..
                })
            )
        })
        .collect()
}

/// The boosts of a search in one segment. Documents must be passed in ascending order.
pub(crate) struct BoostScorers<'w> {
    segment: Segment<'w>,
    scorers: Vec<BoostScorer<'w>>,
    /// Upper bound of what all of them add.
    max_score: f32,
}

struct BoostScorer<'w> {
    boost: &'w CompiledBoost,
    /// Upper bound of what the boosts after this one add.
    max_rest: f32,
    /// Opened with the first document.
    scorer: Option<Scorer>,
}

impl<'w> BoostScorers<'w> {
    /// Prepares the scorers of a segment; each is opened when it is first needed.
    pub fn new(boosts: &'w [CompiledBoost], segment: Segment<'w>) -> BoostScorers<'w> {
        let mut max_score = 0.0;
        let mut scorers: Vec<BoostScorer<'w>> = Vec::with_capacity(boosts.len());
        for boost in boosts.iter().rev() {
            scorers.push(BoostScorer {
                boost,
                max_rest: max_score,
                scorer: None,
            });
            max_score += boost.weight.max_score() * BOUND_MARGIN;
        }
        scorers.reverse();
        BoostScorers {
            segment,
            scorers,
            max_score,
        }
    }

    /// Returns an upper bound of what all boosts add.
    pub fn max_score(&self) -> f32 {
        self.max_score
    }

    /// Adds the boosts of a document to its score; `None` as soon as the upper bound of the sum is
    /// not competitive.
    pub fn boosted_score(
        &mut self,
        mut score: f32,
        doc: DocId,
        is_competitive: impl Fn(f32) -> bool,
    ) -> tantivy::Result<Option<f32>> {
        for boost in &mut self.scorers {
            let max_rest = boost.max_rest;
            let Some(scorer) = boost.seek(self.segment, doc)? else {
                continue;
            };
            if !is_competitive(score + scorer.max_score() * BOUND_MARGIN + max_rest) {
                return Ok(None);
            }
            if scorer.matches() {
                score += scorer.score();
            }
        }
        Ok(is_competitive(score).then_some(score))
    }

    /// Returns what each boost adds to the score of a document.
    pub fn scores(&mut self, doc: DocId) -> tantivy::Result<Vec<(BoostKind, f32)>> {
        let segment = self.segment;
        let scores = self.scorers.iter_mut().map(|boost| {
            let kind = boost.boost.kind;
            let scorer = boost.seek(segment, doc)?;
            Ok((
                kind,
                scorer.map_or(0.0, |scorer| {
                    if scorer.matches() {
                        scorer.score()
                    } else {
                        0.0
                    }
                }),
            ))
        });
        scores.collect()
    }
}

impl BoostScorer<'_> {
    /// Moves the scorer to the document; `None` if the document cannot have the boost.
    fn seek(&mut self, segment: Segment<'_>, doc: DocId) -> tantivy::Result<Option<&mut Scorer>> {
        if self.scorer.is_none() {
            self.scorer = Some(self.boost.weight.scorer(segment)?);
        }
        Ok(self
            .scorer
            .as_mut()
            .filter(|scorer| scorer.doc() <= doc)
            .and_then(|scorer| (scorer.seek(doc) == doc).then_some(scorer)))
    }
}
