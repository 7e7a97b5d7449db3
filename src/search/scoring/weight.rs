//! A query compiled for a snapshot: its terms are looked up once, for all segments.

use tantivy::Term;
use tantivy::query::EnableScoring;
use tantivy::schema::IndexRecordOption;

use super::attribute::{AttributeScorer, Docs};
use super::bm25::Bm25;
use super::phrase_weight::{PhraseTerms, SectionBounds, phrase_scorer};
use super::query::Query;
use super::scorer::{Intersection, RestrictedScorer, Scorer, TermScorer, Union};
use super::statistics::Statistics;
use super::term_postings::TermPostings;
use crate::access::restricted::RestrictedTextFilter;
use crate::schema::columns::AttributeFilter;
use crate::snapshot::Segment;

/// A compiled query.
pub(crate) enum Weight {
    /// Matches nothing.
    Empty,
    /// Matches every document with this score.
    AllDocs(f32),
    /// Matches a term.
    Term(TermPostings, Option<Bm25>),
    /// Matches terms, each with its distance to the last one, that are at most this many positions
    /// (the slop) out of place.
    Phrase(Vec<(TermPostings, u32)>, u32, Option<Bm25>),
    /// Matches terms, each with its distance to the last one, in one section of the text.
    InSection(Vec<(TermPostings, u32)>, SectionBounds, Option<Bm25>),
    /// Matches what a tantivy query matches.
    Tantivy(Box<dyn tantivy::query::Weight>),
    /// Matches any of them; `true` takes the best score, `false` the sum.
    Union(Vec<Weight>, bool),
    /// Matches all of them.
    Intersection(Vec<Weight>),
    /// Matches what the weight does not match.
    Not(Box<Weight>),
    /// Matches what has an attribute.
    Attribute(AttributeFilter),
    /// Matches where the viewer may read the text.
    Restricted(Box<Weight>, RestrictedTextFilter),
}

impl Weight {
    /// Compiles a query. Scores cost extra; pass `false` where the order does not need them.
    pub fn compile(
        query: &Query,
        with_scores: bool,
        statistics: &Statistics<'_>,
    ) -> tantivy::Result<Weight> {
        Weight::compile_boosted(query, with_scores.then_some(1.0), None, statistics)
    }

    /// `boost` is the factor of scores, `None` for no scores; `restriction` applies to the text
    /// that contains the terms.
    fn compile_boosted(
        query: &Query,
        boost: Option<f32>,
        restriction: Option<&RestrictedTextFilter>,
        statistics: &Statistics<'_>,
    ) -> tantivy::Result<Weight> {
        let compile_all = |queries: &[Query]| -> tantivy::Result<Vec<Weight>> {
            let weights = queries
                .iter()
                .map(|query| Weight::compile_boosted(query, boost, restriction, statistics));
            weights
                .filter(|weight| !matches!(weight, Ok(Weight::Empty)))
                .collect()
        };
        Ok(match query {
            Query::Empty => Weight::Empty,
            Query::AllDocs => Weight::AllDocs(boost.unwrap_or(0.0)),
            Query::Term(term) => Weight::compile_term(term, boost, restriction, statistics)?,
            Query::Phrase(terms, slop) => {
                match PhraseTerms::look_up(terms, boost, restriction, statistics)? {
                    Some(PhraseTerms { parts, bm25 }) => Weight::Phrase(parts, *slop, bm25),
                    None => Weight::Empty,
                }
            }
            Query::InSection(terms, section) => {
                let bounds = SectionBounds::look_up(terms, *section, statistics)?;
                let terms = PhraseTerms::look_up(terms, boost, restriction, statistics)?;
                match bounds.zip(terms) {
                    Some((bounds, PhraseTerms { parts, bm25 })) => {
                        Weight::InSection(parts, bounds, bm25)
                    }
                    None => Weight::Empty,
                }
            }
            Query::Tantivy(query) => Weight::Tantivy(
                query
                    .0
                    .weight(EnableScoring::disabled_from_searcher(statistics.searcher()))?,
            ),
            Query::DisMax(queries) => Weight::union(compile_all(queries)?, true),
            Query::Or(queries) => Weight::union(compile_all(queries)?, false),
            Query::And(queries) => match compile_all(queries)? {
                weights if weights.len() < queries.len() => Weight::Empty,
                weights => Weight::Intersection(weights),
            },
            Query::Not(query) => {
                match Weight::compile_boosted(query, None, restriction, statistics)? {
                    Weight::Empty => Weight::AllDocs(0.0),
                    inner => Weight::Not(Box::new(inner)),
                }
            }
            Query::Attribute(filter) => Weight::Attribute(filter.clone()),
            Query::Restricted(query, filter) => {
                match Weight::compile_boosted(query, boost, Some(filter), statistics)? {
                    Weight::Empty => Weight::Empty,
                    inner => Weight::Restricted(Box::new(inner), filter.clone()),
                }
            }
            Query::Boost(query, factor) => Weight::compile_boosted(
                query,
                boost.map(|boost| boost * factor),
                restriction,
                statistics,
            )?,
        })
    }

    fn compile_term(
        term: &Term,
        boost: Option<f32>,
        restriction: Option<&RestrictedTextFilter>,
        statistics: &Statistics<'_>,
    ) -> tantivy::Result<Weight> {
        let Some(postings) = TermPostings::look_up(term, statistics)? else {
            return Ok(Weight::Empty);
        };
        let bm25 = boost.map(|boost| -> tantivy::Result<Bm25> {
            let idf = statistics.idf(term, restriction)?;
            Ok(Bm25::new(idf, boost, statistics.norms(postings.field())?))
        });
        Ok(Weight::Term(postings, bm25.transpose()?))
    }

    fn union(mut weights: Vec<Weight>, dis_max: bool) -> Weight {
        match weights.len() {
            0 => Weight::Empty,
            1 => weights.remove(0),
            _ => Weight::Union(weights, dis_max),
        }
    }

    /// Returns an upper bound of the score.
    pub fn max_score(&self) -> f32 {
        match self {
            Weight::Empty | Weight::Tantivy(_) | Weight::Not(_) | Weight::Attribute(_) => 0.0,
            Weight::AllDocs(score) => *score,
            Weight::Term(_, bm25) | Weight::Phrase(_, _, bm25) | Weight::InSection(_, _, bm25) => {
                bm25.as_ref().map_or(0.0, Bm25::max_score)
            }
            Weight::Union(weights, true) => {
                weights.iter().map(Weight::max_score).fold(0.0, f32::max)
            }
            Weight::Union(weights, false) | Weight::Intersection(weights) => {
                weights.iter().map(Weight::max_score).sum()
            }
            Weight::Restricted(inner, _) => inner.max_score(),
        }
    }

    /// Estimates how many documents of a segment match; an upper bound.
    pub fn cost(&self, segment: Segment<'_>) -> u64 {
        match self {
            Weight::Empty => 0,
            Weight::AllDocs(_) | Weight::Tantivy(_) | Weight::Not(_) | Weight::Attribute(_) => {
                u64::from(segment.reader.max_doc())
            }
            Weight::Term(postings, _) => postings.doc_freq(segment.ord),
            Weight::Phrase(terms, ..) | Weight::InSection(terms, ..) => terms
                .iter()
                .map(|(postings, _)| postings.doc_freq(segment.ord))
                .min()
                .unwrap_or(0),
            Weight::Union(weights, _) => weights.iter().map(|weight| weight.cost(segment)).sum(),
            Weight::Intersection(weights) => {
                let costs = weights.iter().map(|weight| weight.cost(segment));
                costs.min().unwrap_or(0)
            }
            Weight::Restricted(inner, _) => inner.cost(segment),
        }
    }

    /// Calls `visit` for each part that is not a union: a document matches if any of them does.
    pub(super) fn for_each_source<'w>(&'w self, visit: &mut impl FnMut(&'w Weight)) {
        match self {
            Weight::Empty => {}
            Weight::Union(weights, _) => weights
                .iter()
                .for_each(|weight| weight.for_each_source(visit)),
            source => visit(source),
        }
    }

    /// Whether both match the same documents because they read the same postings. Both must come
    /// from the same [`Statistics`].
    pub(super) fn has_same_source(&self, other: &Weight) -> bool {
        match (self, other) {
            (Weight::Term(term, _), Weight::Term(other, _)) => term.id() == other.id(),
            (Weight::Phrase(terms, slop, _), Weight::Phrase(others, other_slop, _)) => {
                let is_same =
                    |((term, to_last), (other, other_to_last)): (
                        &(TermPostings, u32),
                        &(TermPostings, u32),
                    )| { to_last == other_to_last && term.id() == other.id() };
                slop == other_slop
                    && terms.len() == others.len()
                    && terms.iter().zip(others).all(is_same)
            }
            (Weight::Restricted(inner, filter), Weight::Restricted(other, other_filter)) => {
                filter.text == other_filter.text && inner.has_same_source(other)
            }
            _ => false,
        }
    }

    /// Creates a scorer over the documents of a segment.
    pub fn scorer(&self, segment: Segment<'_>) -> tantivy::Result<Scorer> {
        let Segment {
            ord,
            reader,
            columns,
        } = segment;
        Ok(match self {
            Weight::Empty => Scorer::Empty,
            Weight::AllDocs(score) => Scorer::AllDocs {
                doc: 0,
                max_doc: reader.max_doc(),
                score: *score,
            },
            Weight::Term(term, bm25) => {
                let option = if bm25.is_some() {
                    IndexRecordOption::WithFreqs
                } else {
                    IndexRecordOption::Basic
                };
                let Some(postings) = term.postings(ord, option)? else {
                    return Ok(Scorer::Empty);
                };
                let fieldnorms = term.fieldnorms(segment)?;
                Scorer::Term(Box::new(TermScorer {
                    postings,
                    fieldnorms,
                    bm25: bm25.clone(),
                }))
            }
            Weight::Phrase(terms, slop, bm25) => {
                match phrase_scorer(terms, *slop, None, bm25.clone(), segment)? {
                    Some(scorer) => Scorer::Phrase(Box::new(scorer)),
                    None => Scorer::Empty,
                }
            }
            Weight::InSection(terms, bounds, bm25) => {
                let Some(section) = bounds.postings(ord)? else {
                    return Ok(Scorer::Empty);
                };
                match phrase_scorer(terms, 0, Some(section), bm25.clone(), segment)? {
                    Some(scorer) => Scorer::Phrase(Box::new(scorer)),
                    None => Scorer::Empty,
                }
            }
            Weight::Tantivy(weight) => Scorer::Tantivy(weight.scorer(reader, 1.0)?),
            Weight::Union(weights, dis_max) => Union::scorer(scorers(weights, segment)?, *dis_max),
            Weight::Intersection(weights) => match scorers(weights, segment)? {
                scorers if scorers.len() < weights.len() => Scorer::Empty,
                scorers => Scorer::Intersection(Intersection::new(scorers)),
            },
            Weight::Not(inner) => match inner.scorer(segment)? {
                Scorer::Empty => Scorer::AllDocs {
                    doc: 0,
                    max_doc: reader.max_doc(),
                    score: 0.0,
                },
                inner => Scorer::Not {
                    docs: Docs::new(reader.max_doc()),
                    inner: Box::new(inner),
                },
            },
            Weight::Attribute(filter) => {
                Scorer::Attribute(Box::new(AttributeScorer::new(filter, segment)?))
            }
            Weight::Restricted(inner, filter) => match inner.scorer(segment)? {
                Scorer::Empty => Scorer::Empty,
                inner => Scorer::Restricted(RestrictedScorer {
                    inner: Box::new(inner),
                    classes: columns.classes(),
                    filter: filter.clone(),
                }),
            },
        })
    }
}

/// Creates scorers, leaving out those that match nothing.
fn scorers(weights: &[Weight], segment: Segment<'_>) -> tantivy::Result<Vec<Scorer>> {
    let scorers = weights.iter().map(|weight| weight.scorer(segment));
    scorers
        .filter(|scorer| !matches!(scorer, Ok(Scorer::Empty)))
        .collect()
}
