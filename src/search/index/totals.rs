//! Counts the hits of a request with other queries in its place.

use tantivy::Result;

use super::Index;
use crate::access::filter::DocFilter;
use crate::execute::filters::Filters;
use crate::execute::totals::{CountedQuery, totals};
use crate::query::clause::Clause;
use crate::query::parsed_query::ParsedQuery;
use crate::query::word::Word;
use crate::request::{Order, SearchRequest};
use crate::scoring::Weight;
use crate::scoring::statistics::Statistics;

impl Index {
    /// Counts the hits of a request with the text of another query. Nothing is corrected.
    pub(super) fn total(
        &self,
        request: &SearchRequest<'_>,
        text: &str,
        statistics: &Statistics<'_>,
    ) -> Result<u64> {
        let Some(query) = self.parse(text) else {
            return Ok(0);
        };
        self.total_of(request, &query, request.all_words, statistics)
    }

    /// Counts the hits of a request with another query, of which all words must match, or any.
    pub(super) fn total_of(
        &self,
        request: &SearchRequest<'_>,
        query: &ParsedQuery,
        all_words: bool,
        statistics: &Statistics<'_>,
    ) -> Result<u64> {
        let request = SearchRequest {
            all_words,
            offset: 0,
            limit: 0,
            facets: &[],
            order: Order::Date,
            with_alternatives: false,
            ..request.clone()
        };
        Ok(self.search_snapshot(&request, query, statistics)?.total)
    }

    /// Counts the hits of a request with each of these lists of words in place of its own, of which
    /// all must match, or any. One pass over the postings counts them all.
    pub(super) fn totals(
        &self,
        request: &SearchRequest<'_>,
        queries: &[(&[Word], bool)],
        statistics: &Statistics<'_>,
    ) -> Result<Vec<u64>> {
        // `-in:title` excludes other records for other words, and clauses are more than words.
        let has_clauses = request.query.clauses.iter().any(Clause::has_words);
        if !request.query.excluded_places().is_empty() || has_clauses {
            let totals = queries.iter().map(|(words, all_words)| {
                let query = ParsedQuery {
                    words: words.to_vec(),
                    ..request.query.clone()
                };
                self.total_of(request, &query, *all_words, statistics)
            });
            return totals.collect();
        }
        let mut distinct: Vec<&Word> = Vec::new();
        let mut counted = Vec::with_capacity(queries.len());
        for (words, all_words) in queries {
            let any_word = !all_words && words.len() > 1;
            let parts = words
                .iter()
                .flat_map(|word| &word.parts)
                .filter(|_| any_word);
            let mut query = CountedQuery {
                words: Vec::new(),
                all_words: !any_word,
            };
            for word in words.iter().chain(parts) {
                let known = distinct.iter().position(|known| *known == word);
                query.words.push(known.unwrap_or(distinct.len()));
                if known.is_none() {
                    distinct.push(word);
                }
            }
            counted.push(query);
        }
        let planner = self.planner(request, request.query, statistics);
        let words = distinct
            .into_iter()
            .map(|word| Weight::compile(&planner.word(word)?, false, statistics))
            .collect::<Result<Vec<_>>>()?;
        let doc_filter = DocFilter::new(
            request.visibility,
            request.kinds,
            request.projects,
            request.closed,
        );
        let excluded = planner
            .excluded(request.query)?
            .iter()
            .map(|query| Weight::compile(query, false, statistics))
            .collect::<Result<Vec<_>>>()?;
        let filters = Filters {
            doc_filter: &doc_filter,
            attributes: request.filters,
            excluded: &excluded,
        };
        let leading = planner.leading(&doc_filter, &words)?;
        totals(
            statistics.snapshot(),
            filters,
            leading.as_ref(),
            &words,
            &counted,
        )
    }
}

#[cfg(test)]
mod tests;
