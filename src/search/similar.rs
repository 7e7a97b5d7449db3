//! Finds the issues that are similar to a text: probable duplicates.
//!
//! The most significant terms of the text become a query, and hits pass the same filter as in any
//! search. Only text that everybody who sees an issue may read makes it similar: no private notes,
//! no custom fields. The caller passes text that the viewer may read.

use jiff::Timestamp;
use std::collections::HashMap;
use tantivy::Term;
use tantivy::schema::Field;

use super::access::filter::DocFilter;
use super::access::visibility::Visibility;
use super::analyzer::Tokens;
use super::error::SearchError;
use super::execute::collector::CompiledSearch;
use super::execute::planner::Planner;
use super::facade::Search;
use super::index::Index;
use super::query::parsed_query::ParsedQuery;
use super::query::word::Word;
use super::request::{Attachments, Hit, Order, relative_score};
use super::schema::access_class::parse_record_key;
use super::schema::config::{Ranking, SimilarConfig};
use super::scoring::boosts::{Boost, compile_boosts};
use super::scoring::statistics::Statistics;
use super::scoring::{Query, Weight};
use super::snapshot::Snapshot;
use quarry_domain::ids::IssueId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::id_set::IdSet;

/// A text for which similar issues are searched. The viewer may read all of it.
#[derive(Clone, Copy, Debug)]
pub struct SimilarRequest<'q> {
    pub subject: &'q str,
    pub description: &'q str,
    pub notes: &'q [String],
    /// The issue that has the text, which is left out.
    pub except: Option<IssueId>,
    /// What the viewer may find.
    pub visibility: &'q Visibility,
    /// The projects; `None` for all.
    pub projects: Option<&'q IdSet>,
    /// The closed statuses, to find only open issues.
    pub closed: Option<&'q IdSet>,
    /// The date of the text: texts of the same time are more often duplicates.
    pub written: Timestamp,
    /// Maximum number of hits.
    pub limit: usize,
}

impl Search {
    /// Returns the issues that are similar to a text, the most similar first.
    pub fn similar(&self, request: &SimilarRequest<'_>) -> Result<Vec<Hit>, SearchError> {
        self.with_index(|index| index.similar(request, &index.config().similar))
    }
}

impl Index {
    /// Returns the issues that are similar to a text, the most similar first, with scores relative
    /// to the best hit.
    pub fn similar(
        &self,
        request: &SimilarRequest<'_>,
        config: &SimilarConfig,
    ) -> Result<Vec<Hit>, SearchError> {
        let snapshot = self.snapshot();
        let collected = self
            .compile_similar(request, config, &snapshot)?
            .collect()?;
        let itself = request.except.map(|issue| (Kind::Issue, issue.0));
        let mut max_score = None;
        let mut hits = Vec::new();
        for hit in collected.into_page(0, request.limit.saturating_add(1)) {
            let Some((kind, id)) = parse_record_key(hit.key) else {
                continue;
            };
            if Some((kind, id)) == itself {
                continue;
            }
            let score = relative_score(hit.score, *max_score.get_or_insert(hit.score));
            if score >= config.least && hits.len() < request.limit {
                let score = Some(score);
                hits.push(Hit { kind, id, score });
            }
        }
        Ok(hits)
    }

    fn compile_similar<'s>(
        &self,
        request: &SimilarRequest<'_>,
        config: &SimilarConfig,
        snapshot: &'s Snapshot,
    ) -> tantivy::Result<CompiledSearch<'s>> {
        let statistics = Statistics::new(snapshot, &self.fields, request.visibility);
        let planner = Planner {
            statistics: &statistics,
            fields: &self.fields,
            config: &self.config,
            visibility: request.visibility,
            titles_only: false,
            attachments: Attachments::Without,
            all_words: false,
            resolved: &[],
            section: None,
        };
        let query = self.similar_query(request, config, &statistics)?;
        Ok(CompiledSearch {
            snapshot,
            filter: DocFilter::new(
                request.visibility,
                &[Kind::Issue],
                request.projects,
                request.closed,
            ),
            query: Weight::compile(&query, true, &statistics)?,
            excluded: Vec::new(),
            filters: &[],
            facets: &[],
            order: Order::Relevance,
            boosts: compile_boosts(self.subject_boosts(request, config, &planner), &statistics)?,
            // One more than the limit, because the issue itself is among the hits.
            k: request.limit.saturating_add(1),
            ranking: Ranking {
                recency_weight: config.nearness_weight,
                recency_days: config.nearness_days,
                ..self.config.ranking.clone()
            },
            now: request.written.as_second(),
        })
    }

    /// Returns the query of the significant terms.
    fn similar_query(
        &self,
        request: &SimilarRequest<'_>,
        config: &SimilarConfig,
        statistics: &Statistics<'_>,
    ) -> tantivy::Result<Query> {
        let mut queries = Vec::new();
        for text in &self.fields.text {
            for (term, weight) in self.significant_terms(request, config, statistics, text.field)? {
                queries.push(
                    Query::Term(Term::from_field_text(text.field, &term))
                        .boost(weight * text.weight),
                );
            }
        }
        Ok(Query::or(queries))
    }

    /// Returns the boosts of the subject, as if it were a query.
    fn subject_boosts(
        &self,
        request: &SimilarRequest<'_>,
        config: &SimilarConfig,
        planner: &Planner<'_>,
    ) -> Vec<Boost> {
        let bounds = &self.config.bounds;
        let subject = truncate(request.subject, config.characters);
        let words = subject
            .split_whitespace()
            .filter_map(|word| Word::parse(word, false, bounds));
        let query = ParsedQuery {
            words: words.take(bounds.query_words).collect(),
            ..ParsedQuery::default()
        };
        planner
            .boosts(&query)
            .into_iter()
            .map(|boost| Boost {
                factor: boost.factor * config.subject,
                ..boost
            })
            .collect()
    }

    /// Returns the terms that are frequent in the text and rare elsewhere, with their weights.
    fn significant_terms(
        &self,
        request: &SimilarRequest<'_>,
        config: &SimilarConfig,
        statistics: &Statistics<'_>,
        field: Field,
    ) -> tantivy::Result<Vec<(String, f32)>> {
        let mut weights: HashMap<String, (f32, f32)> = HashMap::new();
        let own = if request.except.is_some() { 1.0 } else { 0.0 };
        let notes = request.notes.iter().map(String::as_str);
        // A term that only the issue itself has in its subject or description finds nothing else. A
        // note may be private, and then the frequency of its terms does not include the issue.
        for (weight, texts, min_frequency) in [
            (config.subject, vec![request.subject], 1.0 + own),
            (config.description, vec![request.description], 1.0 + own),
            (config.notes, notes.collect(), 1.0),
        ] {
            if weight <= 0.0 {
                continue;
            }
            for (term, count) in count_terms(&texts, config.characters) {
                let entry = weights.entry(term).or_insert((0.0, min_frequency));
                entry.0 += weight * (1.0 + (count as f32).ln());
            }
        }
        let mut significant = Vec::with_capacity(weights.len());
        for (term, (weight, min_frequency)) in weights {
            let frequency = statistics.frequency(&Term::from_field_text(field, &term), None)?;
            if frequency >= min_frequency {
                significant.push((weight * statistics.idf_of(frequency), term, weight));
            }
        }
        significant.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        significant.truncate(config.terms);
        Ok(significant
            .into_iter()
            .map(|(_, term, weight)| (term, weight))
            .collect())
    }
}

/// Counts the terms of texts, of which at most this many characters are read in all.
fn count_terms(texts: &[&str], mut characters: usize) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for text in texts {
        let text = truncate(text, characters);
        characters -= text.chars().count();
        let mut pieces = Tokens::new(text);
        while let Some(piece) = pieces.advance() {
            if piece.levels != 0 {
                *counts.entry(piece.term.clone()).or_default() += 1;
            }
        }
    }
    counts
}

/// Returns the first characters of a text.
fn truncate(text: &str, characters: usize) -> &str {
    text.char_indices()
        .nth(characters)
        .map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}
