//! Searches the index: corrects the query where no visible record has a word, looks for
//! alternatives where there are few hits, and caches responses.

use tantivy::Result;

use super::Index;
use crate::access::filter::DocFilter;
use crate::error::SearchError;
use crate::execute::collector::CompiledSearch;
use crate::execute::correction::Correction;
use crate::execute::deadline::{is_request_over, is_timeout};
use crate::execute::facet_counter::FacetCounter;
use crate::execute::planner::Planner;
use crate::execute::spelling::{Misspelled, SpellChecker};
use crate::query::clause::Place;
use crate::query::parsed_query::ParsedQuery;
use crate::request::{
    Attachments, DidYouMean, FEW_HITS, Hit, Order, SearchRequest, SearchResponse, relative_score,
};
use crate::schema::access_class::parse_record_key;
use crate::schema::columns::FacetCounts;
use crate::scoring::Weight;
use crate::scoring::boosts::compile_boosts;
use crate::scoring::statistics::Statistics;
use crate::snapshot::Snapshot;
use quarry_domain::access::viewer::Viewer;
use quarry_store::Read;

impl Index {
    /// Runs a search once. Issues that a condition of the store has not tested yet count as not
    /// matching it; [`Index::search_with_store`] tests them.
    pub fn search(
        &self,
        request: &SearchRequest<'_>,
    ) -> std::result::Result<SearchResponse, SearchError> {
        if request.query.is_empty() {
            let facets = request
                .facets
                .iter()
                .map(|facet| (*facet, FacetCounts::new()))
                .collect();
            return Ok(SearchResponse {
                facets,
                ..SearchResponse::default()
            });
        }
        let snapshot = self.snapshot();
        if request.store_conditions().next().is_some() {
            return Ok(self.search_with_correction(request, &self.statistics(request, &snapshot))?);
        }
        let generation = snapshot.searcher.generation().generation_id();
        self.results.get_or_insert(generation, request, || {
            Ok(self.search_with_correction(request, &self.statistics(request, &snapshot))?)
        })
    }

    /// Runs a search, and repeats it until the store has tested all issues on which its conditions
    /// depend.
    pub fn search_with_store(
        &self,
        request: &SearchRequest<'_>,
        db: &Read<'_>,
        viewer: &Viewer,
    ) -> std::result::Result<SearchResponse, SearchError> {
        loop {
            let response = self.search(request)?;
            if !request.has_pending() {
                return Ok(response);
            }
            request.test_pending(db, viewer)?;
        }
    }

    fn search_with_correction(
        &self,
        request: &SearchRequest<'_>,
        statistics: &Statistics<'_>,
    ) -> Result<SearchResponse> {
        if !request.all_words && request.query.has_optional_words() {
            self.search_any_word(request, statistics)
        } else {
            self.search_all_words(request, statistics)
        }
    }

    /// Runs a search for any of several words.
    fn search_any_word(
        &self,
        request: &SearchRequest<'_>,
        statistics: &Statistics<'_>,
    ) -> Result<SearchResponse> {
        let spell_checker = self.spell_checker(request, statistics);
        let (query, correction) = self.any_word_query(request.query, &spell_checker)?;
        let response = self.search_snapshot(request, &query, statistics)?;
        let did_you_mean = match correction {
            None => None,
            Some(mut correction) => {
                let is_unique = correction.is_unique();
                let all_words = SearchRequest {
                    all_words: true,
                    ..request.clone()
                };
                correction.keep_best(|text| self.total(&all_words, text, statistics))?;
                let text = correction.text_with_all();
                let total = if is_unique {
                    response.total
                } else {
                    self.total(request, &text, statistics)?
                };
                Some(DidYouMean {
                    text,
                    total,
                    is_searched: true,
                })
            }
        };
        let is_other = query != *request.query;
        Ok(SearchResponse {
            searched: is_other.then_some(query),
            did_you_mean,
            ..response
        })
    }

    /// Returns the query that a search for any of several words runs: a long one reduced to its
    /// rarest words, another one with unknown words corrected.
    pub(super) fn any_word_query<'q>(
        &self,
        query: &'q ParsedQuery,
        spell_checker: &SpellChecker<'_>,
    ) -> Result<(ParsedQuery, Option<Correction<'q>>)> {
        if query.has_more_words_than(self.config.bounds.any_words) {
            return Ok((self.rarest_words(query, spell_checker)?, None));
        }
        let correction = spell_checker.correct(query, Misspelled::Unknown)?;
        let corrected = correction
            .and_then(|correction| Some((self.parse(&correction.text_with_all())?, correction)));
        Ok(match corrected {
            Some((corrected, correction)) => (corrected, Some(correction)),
            None => (query.clone(), None),
        })
    }

    /// Runs a search for all words. Only a search without hits shows that a word may be misspelled.
    fn search_all_words(
        &self,
        request: &SearchRequest<'_>,
        statistics: &Statistics<'_>,
    ) -> Result<SearchResponse> {
        let mut response = self.search_snapshot(request, request.query, statistics)?;
        // Before alternatives are looked for, the store tells what is a hit.
        if request.has_pending() {
            return Ok(response);
        }
        if response.total >= FEW_HITS || (response.total > 0 && !request.with_alternatives) {
            return Ok(response);
        }
        let spell_checker = self.spell_checker(request, statistics);
        let mut corrected_query = None;
        if response.total == 0
            && let Some(mut correction) =
                spell_checker.correct(request.query, Misspelled::Unknown)?
            && let Some(query) = self.parse(&correction.text_with_all())
        {
            let is_unique = correction.is_unique();
            let corrected = self.search_snapshot(request, &query, statistics)?;
            if corrected.total > 0 {
                correction.keep_best(|text| self.total(request, text, statistics))?;
                let text = correction.text_with_all();
                let total = if is_unique {
                    corrected.total
                } else {
                    self.total(request, &text, statistics)?
                };
                response = SearchResponse {
                    searched: Some(query),
                    did_you_mean: Some(DidYouMean {
                        text,
                        total,
                        is_searched: true,
                    }),
                    ..corrected
                };
            } else {
                correction.keep_first();
            }
            corrected_query = self.parse(&correction.text_with_all());
        }
        if request.with_alternatives && response.total < FEW_HITS {
            let corrected_query = corrected_query.as_ref().unwrap_or(request.query);
            match self.add_alternatives(
                request,
                corrected_query,
                &spell_checker,
                &mut response,
                statistics,
            ) {
                // The search for alternatives took too long; the hits are returned without them.
                Err(error) if is_timeout(&error) && !is_request_over() => request.forget_pending(),
                outcome => outcome?,
            }
        }
        Ok(response)
    }

    /// Creates the spell checker for a request. It knows the words of all records that the viewer
    /// may see, whatever the request is narrowed to.
    fn spell_checker<'s>(
        &'s self,
        request: &SearchRequest<'s>,
        statistics: &'s Statistics<'s>,
    ) -> SpellChecker<'s> {
        let is_in_files = request.query.tokens_name(Place::Files);
        let attachments = if request.attachments == Attachments::Without && !is_in_files {
            Attachments::Without
        } else {
            Attachments::With
        };
        SpellChecker::new(Planner {
            statistics,
            fields: &self.fields,
            config: &self.config,
            visibility: request.visibility,
            titles_only: false,
            attachments,
            all_words: true,
            resolved: &[],
            section: None,
        })
    }

    /// Returns the query with only its rarest words: those that the fewest visible records have,
    /// but at least one.
    fn rarest_words(
        &self,
        query: &ParsedQuery,
        spell_checker: &SpellChecker<'_>,
    ) -> Result<ParsedQuery> {
        let mut by_frequency = Vec::with_capacity(query.words.len());
        for (index, word) in query.words.iter().enumerate() {
            let frequency = spell_checker.frequency(word)?;
            by_frequency.push((frequency == 0, frequency, index));
        }
        by_frequency.sort_unstable();
        let mut kept = Vec::new();
        let mut words = 0;
        for (is_unknown, _, index) in by_frequency {
            words += 1 + query.words[index].alternatives.len();
            if !kept.is_empty() && (is_unknown || words > self.config.bounds.any_words) {
                break;
            }
            kept.push(index);
        }
        kept.sort_unstable();
        let words = kept
            .into_iter()
            .map(|index| query.words[index].clone())
            .collect();
        Ok(ParsedQuery {
            words,
            ..query.clone()
        })
    }

    /// Parses the text of a query that was changed; `None` if it became too long.
    pub(super) fn parse(&self, text: &str) -> Option<ParsedQuery> {
        ParsedQuery::parse(text, &self.config.bounds).ok()
    }

    /// Runs a search with this query in place of that of the request.
    pub(super) fn search_snapshot(
        &self,
        request: &SearchRequest<'_>,
        query: &ParsedQuery,
        statistics: &Statistics<'_>,
    ) -> Result<SearchResponse> {
        let mut collected = self.compile(request, query, statistics)?.collect()?;
        let max_score = collected.max_score;
        let counts = collected.counts;
        let facets = request
            .facets
            .iter()
            .copied()
            .zip(
                std::mem::take(&mut collected.facets)
                    .into_iter()
                    .map(FacetCounter::into_counts),
            )
            .collect();
        let page = collected.into_page(request.offset, request.limit);
        let with_scores = request.order != Order::Date;
        let hits = page.iter().filter_map(|hit| {
            let (kind, id) = parse_record_key(hit.key)?;
            let score = with_scores.then(|| relative_score(hit.score, max_score));
            Some(Hit { kind, id, score })
        });
        Ok(SearchResponse {
            hits: hits.collect(),
            total: counts.iter().sum(),
            counts,
            facets,
            ..SearchResponse::default()
        })
    }

    /// Returns the statistics for the searches of a request. They look up each term once.
    pub(crate) fn statistics<'s>(
        &self,
        request: &SearchRequest<'_>,
        snapshot: &'s Snapshot,
    ) -> Statistics<'s> {
        Statistics::new(snapshot, &self.fields, request.visibility)
    }

    /// Plans searches with this query in place of that of the request.
    pub(super) fn planner<'p>(
        &'p self,
        request: &SearchRequest<'p>,
        query: &ParsedQuery,
        statistics: &'p Statistics<'_>,
    ) -> Planner<'p> {
        let planner = Planner {
            statistics,
            fields: &self.fields,
            config: &self.config,
            visibility: request.visibility,
            titles_only: request.titles_only,
            attachments: request.attachments,
            all_words: request.all_words,
            resolved: request.resolved,
            section: None,
        };
        match query.place() {
            Some(place) => planner.at(place),
            None => planner,
        }
    }

    /// Compiles a search with this query in place of that of the request.
    pub(crate) fn compile<'s>(
        &self,
        request: &SearchRequest<'s>,
        query: &ParsedQuery,
        statistics: &Statistics<'s>,
    ) -> Result<CompiledSearch<'s>> {
        let filter = DocFilter::new(
            request.visibility,
            request.kinds,
            request.projects,
            request.closed,
        );
        let planner = self.planner(request, query, statistics);
        let has_scores = request.order != Order::Date;
        let weight = Weight::compile(&planner.query(query, &filter)?, has_scores, statistics)?;
        let boosts = if has_scores {
            planner.boosts(query)
        } else {
            Vec::new()
        };
        let mut excluded = planner.excluded(query)?;
        for place in query.excluded_places() {
            let text = ParsedQuery {
                clauses: query
                    .clauses
                    .iter()
                    .filter(|clause| clause.is_text())
                    .cloned()
                    .collect(),
                ..query.clone()
            };
            if text.every_word().next().is_some() {
                excluded.push(planner.at(place).query(&text, &filter)?);
            }
        }
        let excluded = excluded
            .iter()
            .map(|query| Weight::compile(query, false, statistics));
        Ok(CompiledSearch {
            snapshot: statistics.snapshot(),
            query: weight,
            excluded: excluded.collect::<Result<_>>()?,
            filters: request.filters,
            facets: request.facets,
            order: request.order,
            boosts: compile_boosts(boosts, statistics)?,
            k: if request.limit == 0 {
                0
            } else {
                request.offset.saturating_add(request.limit)
            },
            ranking: self.config.ranking.clone(),
            now: request.now.as_second(),
            filter,
        })
    }
}
