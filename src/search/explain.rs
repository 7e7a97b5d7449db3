//! Explains why a hit has its score: what each word and each boost adds.
//!
//! All parts are relative to the score of the best hit, and sum to the score of the hit. Only text
//! that the viewer may read adds anything. The parts reveal how rare words are; [`Statistics`]
//! makes sure that hidden records hardly influence that.

use tantivy::collector::DocSetCollector;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Searcher};

use super::access::filter::DocFilter;
use super::error::SearchError;
use super::execute::planner::Planner;
use super::index::Index;
use super::query::parsed_query::ParsedQuery;
use super::query::word::{QueryTerm, Word};
use super::request::{Hit, SearchRequest};
use super::scoring::Weight;
use super::scoring::boosts::{BoostKind, BoostScorers, CompiledBoost, compile_boosts};
use super::scoring::statistics::Statistics;
use super::snapshot::Segment;

/// The parts of the score of a hit. They sum to the score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// What each word adds, in the order of [`ParsedQuery::every_word`].
    pub words: Vec<f32>,
    /// The score of every hit of a query without words.
    pub base: f32,
    /// What words add that the title contains exactly as they are in the query.
    pub exact_title: f32,
    /// What words add that are adjacent in the query and in the text.
    pub adjacent_words: f32,
    /// What the age of the record adds.
    pub recency: f32,
}

impl Explanation {
    /// Scales all parts so that they sum to `score`.
    fn scaled_to(mut self, score: f32) -> Explanation {
        let sum = self.words.iter().sum::<f32>()
            + self.base
            + self.exact_title
            + self.adjacent_words
            + self.recency;
        let factor = if sum > 0.0 { score / sum } else { 0.0 };
        let others = [
            &mut self.base,
            &mut self.exact_title,
            &mut self.adjacent_words,
            &mut self.recency,
        ];
        self.words
            .iter_mut()
            .chain(others)
            .for_each(|part| *part *= factor);
        self
    }
}

/// Returns a word in normalized form: without case and accents, not stemmed, with pairs of CJK
/// characters joined again.
pub fn normalized(word: &Word) -> String {
    let terms: &[QueryTerm] = word.variants.last().map_or(&[], Vec::as_slice);
    let mut text = String::new();
    for (index, term) in terms.iter().enumerate() {
        let mut letters = term.unstemmed.chars();
        let first = letters.next();
        let overlaps = index > 0
            && letters.clone().count() == 1
            && first.is_some_and(|first| !first.is_ascii() && text.ends_with(first))
            && term.offset == terms[index - 1].offset + 1;
        if overlaps {
            text.extend(letters);
        } else {
            text.push_str(if index == 0 { "" } else { " " });
            text.push_str(&term.unstemmed);
        }
    }
    if word.prefix {
        text.push('*');
    }
    text
}

/// Computes scores of given hits.
struct HitScorer<'s> {
    segments: &'s [Segment<'s>],
    /// The document of each hit; `None` if the index no longer has it.
    addresses: &'s [Option<DocAddress>],
}

fn same_segment((a, _): &(DocAddress, usize), (b, _): &(DocAddress, usize)) -> bool {
    a.segment_ord == b.segment_ord
}

impl HitScorer<'_> {
    /// Returns the score of each hit; 0 where it does not match.
    fn scores(&self, weight: &Weight) -> tantivy::Result<Vec<f32>> {
        let mut scores = vec![0.0; self.addresses.len()];
        for docs in self.sorted_docs().chunk_by(same_segment) {
            let mut scorer = weight.scorer(self.segments[docs[0].0.segment_ord as usize])?;
            for (address, hit) in docs {
                if scorer.seek(address.doc_id) == address.doc_id && scorer.matches() {
                    scores[*hit] = scorer.score();
                }
            }
        }
        Ok(scores)
    }

    /// Returns what each boost adds to each hit.
    fn boost_scores(
        &self,
        boosts: &[CompiledBoost],
    ) -> tantivy::Result<Vec<Vec<(BoostKind, f32)>>> {
        let mut scores = vec![Vec::new(); self.addresses.len()];
        for docs in self.sorted_docs().chunk_by(same_segment) {
            let mut boosts =
                BoostScorers::new(boosts, self.segments[docs[0].0.segment_ord as usize]);
            for (address, hit) in docs {
                scores[*hit] = boosts.scores(address.doc_id)?;
            }
        }
        Ok(scores)
    }

    /// Returns the documents in their order in the index, each with the index of its hit.
    fn sorted_docs(&self) -> Vec<(DocAddress, usize)> {
        let docs = self
            .addresses
            .iter()
            .enumerate()
            .filter_map(|(hit, address)| Some(((*address)?, hit)));
        let mut docs: Vec<(DocAddress, usize)> = docs.collect();
        docs.sort_unstable();
        docs
    }
}

impl Index {
    /// Explains hits of a request; `None` for a hit without a score, or one that the index no
    /// longer has.
    pub fn explain(
        &self,
        request: &SearchRequest<'_>,
        hits: &[Hit],
    ) -> Result<Vec<Option<Explanation>>, SearchError> {
        let snapshot = self.snapshot();
        let addresses = hits
            .iter()
            .map(|hit| self.address(&snapshot.searcher, hit))
            .collect::<Result<Vec<_>, _>>()?;
        let segments: Vec<Segment<'_>> = snapshot.segments()?.collect();
        let hit_scorer = HitScorer {
            segments: &segments,
            addresses: &addresses,
        };
        let statistics = Statistics::new(&snapshot, &self.fields, request.visibility);
        let filter = DocFilter::new(
            request.visibility,
            request.kinds,
            request.projects,
            request.closed,
        );
        let planner = Planner {
            statistics: &statistics,
            fields: &self.fields,
            config: &self.config,
            visibility: request.visibility,
            titles_only: request.titles_only,
            attachments: request.attachments,
            all_words: request.all_words,
            resolved: request.resolved,
            section: None,
        };
        let planner = match request.query.place() {
            Some(place) => planner.at(place),
            None => planner,
        };
        let scores = |query: &ParsedQuery| -> tantivy::Result<Vec<f32>> {
            hit_scorer.scores(&Weight::compile(
                &planner.query(query, &filter)?,
                true,
                &statistics,
            )?)
        };
        let mut explanations = vec![Explanation::default(); hits.len()];
        let any_word = !request.all_words && request.query.has_optional_words();
        for query_word in &request.query.words {
            // With "any word", the parts of a word count, and the whole word in addition.
            let parts = if any_word {
                query_word.parts.as_slice()
            } else {
                &[]
            };
            let ranking = &self.config.ranking;
            let repetition = if any_word {
                ranking.repetition(query_word.count)
            } else {
                1.0
            };
            let whole = if parts.is_empty() {
                1.0
            } else {
                ranking.compound
            };
            let mut part_sums = vec![0.0; hits.len()];
            for part in parts {
                add_scaled(&mut part_sums, &scores(&query_for_word(part))?, repetition);
            }
            for (index, word) in std::iter::once(query_word)
                .chain(&query_word.alternatives)
                .enumerate()
            {
                let mut sums = if index == 0 {
                    std::mem::take(&mut part_sums)
                } else {
                    vec![0.0; hits.len()]
                };
                let weight = repetition * whole;
                add_scaled(&mut sums, &scores(&query_for_word(word))?, weight);
                explanations
                    .iter_mut()
                    .zip(sums)
                    .for_each(|(explanation, sum)| explanation.words.push(sum));
            }
        }
        for clause in &request.query.clauses {
            let mut words = Vec::new();
            clause.for_each_word(&mut |word| words.push(word));
            for word in words {
                let weight =
                    Weight::compile(&planner.clause(clause, Some(word))?, true, &statistics)?;
                let scores = hit_scorer.scores(&weight)?;
                explanations
                    .iter_mut()
                    .zip(scores)
                    .for_each(|(explanation, score)| explanation.words.push(score));
            }
        }
        let unboosted = scores(request.query)?;
        let boosts = compile_boosts(planner.boosts(request.query), &statistics)?;
        for (explanation, boosts) in explanations
            .iter_mut()
            .zip(hit_scorer.boost_scores(&boosts)?)
        {
            for (kind, score) in boosts {
                match kind {
                    BoostKind::ExactTitle => explanation.exact_title += score,
                    BoostKind::AdjacentWords => explanation.adjacent_words += score,
                }
            }
        }
        for (n, explanation) in explanations.iter_mut().enumerate() {
            explanation.base = if request.query.every_word().next().is_none() {
                unboosted[n]
            } else {
                0.0
            };
            let score = unboosted[n] + explanation.exact_title + explanation.adjacent_words;
            explanation.recency =
                score * self.recency_raise(&segments, addresses[n], request.now.as_second());
        }
        let scaled = explanations.into_iter().zip(&addresses).zip(hits).map(
            |((explanation, address), hit)| Some(explanation.scaled_to(address.and(hit.score)?)),
        );
        Ok(scaled.collect())
    }

    fn address(&self, searcher: &Searcher, hit: &Hit) -> Result<Option<DocAddress>, SearchError> {
        let key = TermQuery::new(self.key(hit.kind, hit.id), IndexRecordOption::Basic);
        Ok(searcher.search(&key, &DocSetCollector)?.into_iter().next())
    }

    /// Returns how much the age of a record raises its score, relative to the score.
    fn recency_raise(
        &self,
        segments: &[Segment<'_>],
        address: Option<DocAddress>,
        now: i64,
    ) -> f32 {
        let Some(address) = address else { return 0.0 };
        let date = segments[address.segment_ord as usize]
            .columns
            .date(address.doc_id);
        self.config.ranking.recency(date, now) - 1.0
    }
}

/// Returns a query for a word without its alternatives and parts.
fn query_for_word(word: &Word) -> ParsedQuery {
    let word = Word {
        alternatives: Vec::new(),
        parts: Vec::new(),
        ..word.clone()
    };
    ParsedQuery {
        words: vec![word],
        ..ParsedQuery::default()
    }
}

fn add_scaled(sums: &mut [f32], scores: &[f32], factor: f32) {
    sums.iter_mut()
        .zip(scores)
        .for_each(|(sum, score)| *sum += score * factor);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::config::IndexConfig;

    #[test]
    fn words_are_normalized() {
        let bounds = IndexConfig::embedded().unwrap().bounds;
        for (query, expected) in [
            ("Rockets", "rockets"),
            ("Café*", "cafe*"),
            ("\"quick Fox\"", "quick fox"),
            ("issue_query.rb", "issuequeryrb"),
            ("東京都", "東京都"),
            ("\"東京 大阪\"", "東京 大阪"),
        ] {
            assert_eq!(
                ParsedQuery::parse(query, &bounds)
                    .unwrap()
                    .words
                    .iter()
                    .map(normalized)
                    .collect::<Vec<_>>(),
                [expected],
                "{query}"
            );
        }
    }
}
