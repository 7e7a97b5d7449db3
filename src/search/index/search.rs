//! Searches the index: corrects the query where no visible record has a word, and caches responses.

use tantivy::Result;

use super::Index;
use crate::domain::kind::Kind;
use crate::search::access::filter::DocFilter;
use crate::search::error::SearchError;
use crate::search::execute::collector::CompiledSearch;
use crate::search::execute::planner::Planner;
use crate::search::execute::spelling::{Correction, SpellChecker};
use crate::search::execute::top_k::HitCandidate;
use crate::search::query::parsed_query::ParsedQuery;
use crate::search::request::{Attachments, DidYouMean, Hit, Order, SearchRequest, SearchResponse};
use crate::search::schema::access_class::parse_record_key;
use crate::search::schema::columns::FacetCounts;
use crate::search::scoring::Weight;
use crate::search::scoring::boosts::compile_boosts;
use crate::search::scoring::statistics::Statistics;
use crate::search::snapshot::Snapshot;

impl Index {
    /// Runs a search.
    pub fn search(&self, request: &SearchRequest<'_>) -> std::result::Result<SearchResponse, SearchError> {
        if request.query.is_empty() {
            let facets = request.facets.iter().map(|facet| (*facet, FacetCounts::new())).collect();
            return Ok(SearchResponse { facets, ..SearchResponse::default() });
        }
        let snapshot = self.snapshot();
        let generation = snapshot.searcher.generation().generation_id();
        self.results.get_or_insert(generation, request, || Ok(self.search_with_correction(request, &snapshot)?))
    }

    fn search_with_correction(&self, request: &SearchRequest<'_>, snapshot: &Snapshot) -> Result<SearchResponse> {
        // If every word must match, a response with hits shows that no word is misspelled.
        let all_words = request.all_words || request.query.words.len() < 2;
        if !all_words && let Some(correction) = self.correct(request, snapshot)? {
            let did_you_mean = DidYouMean { query: correction.query(), text: correction.text() };
            let response = self.search_snapshot(request, &did_you_mean.query, snapshot)?;
            return Ok(SearchResponse { did_you_mean: Some(did_you_mean), ..response });
        }
        let response = self.search_snapshot(request, request.query, snapshot)?;
        if all_words
            && response.total == 0
            && let Some(mut correction) = self.correct(request, snapshot)?
        {
            let query = correction.query();
            let corrected = self.search_snapshot(request, &query, snapshot)?;
            if corrected.total > 0 {
                let count_only = SearchRequest { limit: 0, facets: &[], order: Order::Date, ..request.clone() };
                correction.keep_best(|query| Result::Ok(self.search_snapshot(&count_only, query, snapshot)?.total > 0))?;
                return Ok(SearchResponse { did_you_mean: Some(DidYouMean { query, text: correction.text() }), ..corrected });
            }
        }
        Ok(response)
    }

    /// Corrects the query of a request with the words of all records that the viewer may see, whatever the request is narrowed to.
    fn correct<'q>(&self, request: &SearchRequest<'q>, snapshot: &Snapshot) -> Result<Option<Correction<'q>>> {
        let filter = DocFilter::new(request.visibility, &Kind::ALL, None, None);
        let attachments = if request.attachments == Attachments::Without { Attachments::Without } else { Attachments::With };
        let statistics = Statistics::new(snapshot, &self.fields, request.visibility);
        let planner = Planner {
            statistics: &statistics,
            fields: &self.fields,
            config: &self.config,
            visibility: request.visibility,
            titles_only: false,
            attachments,
            all_words: true,
        };
        SpellChecker { planner, filter, snapshot }.correct(request.query)
    }

    /// Runs a search with this query in place of that of the request.
    fn search_snapshot(&self, request: &SearchRequest<'_>, query: &ParsedQuery, snapshot: &Snapshot) -> Result<SearchResponse> {
        let mut collected = self.compile(request, query, snapshot)?.collect()?;
        let (max_score, counts) = (collected.max_score, collected.counts);
        let relative = |hit: &HitCandidate| if max_score > 0.0 { hit.score / max_score } else { 1.0 };
        let score = |hit: &HitCandidate| (request.order != Order::Date).then(|| relative(hit));
        let facets = request.facets.iter().copied().zip(std::mem::take(&mut collected.facets)).collect();
        let page = collected.into_page(request.offset, request.limit);
        let hits = page.iter().filter_map(|hit| parse_record_key(hit.key).map(|(kind, id)| Hit { kind, id, score: score(hit) }));
        Ok(SearchResponse { hits: hits.collect(), total: counts.iter().sum(), counts, facets, did_you_mean: None })
    }

    /// Compiles a search with this query in place of that of the request.
    pub(crate) fn compile<'s>(
        &self,
        request: &SearchRequest<'s>,
        query: &ParsedQuery,
        snapshot: &'s Snapshot,
    ) -> Result<CompiledSearch<'s>> {
        let filter = DocFilter::new(request.visibility, request.kinds, request.projects, request.closed);
        let statistics = Statistics::new(snapshot, &self.fields, request.visibility);
        let planner = Planner {
            statistics: &statistics,
            fields: &self.fields,
            config: &self.config,
            visibility: request.visibility,
            titles_only: request.titles_only || query.is_in_title(),
            attachments: request.attachments,
            all_words: request.all_words,
        };
        let has_scores = request.order != Order::Date;
        let weight = Weight::compile(&planner.query(query, &filter)?, has_scores, &statistics)?;
        let boosts = if has_scores { planner.boosts(query) } else { Vec::new() };
        let mut excluded = planner.excluded(query)?;
        if query.is_outside_title() {
            excluded.push(Planner { titles_only: true, ..planner }.query(query, &filter)?);
        }
        let excluded = excluded.iter().map(|query| Weight::compile(query, false, &statistics));
        Ok(CompiledSearch {
            snapshot,
            query: weight,
            excluded: excluded.collect::<Result<_>>()?,
            filters: request.filters,
            facets: request.facets,
            order: request.order,
            boosts: compile_boosts(boosts, &statistics)?,
            k: if request.limit == 0 { 0 } else { request.offset.saturating_add(request.limit) },
            ranking: self.config.ranking.clone(),
            now: request.now.as_second(),
            filter,
        })
    }
}
