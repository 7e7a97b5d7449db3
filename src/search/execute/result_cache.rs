//! A cache of responses, for searches that are repeated while the index stays the same.
//!
//! Invariant: a response is reused only for an equal request with the same [`Visibility`] on the
//! same state of the index, and within the same minute, because the age of records changes scores.
//! Costs and savings are in `docs/measurements/search.md`.

use crate::access::visibility::Visibility;
use crate::query::parsed_query::ParsedQuery;
use crate::query::resolve::ResolvedQualifier;
use crate::request::{Attachments, Order, SearchRequest, SearchResponse};
use crate::schema::columns::{AttributeFilter, Facet};
use moka::sync::Cache;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::id_set::IdSet;
use std::sync::Arc;

/// Maximum number of cached responses.
const MAX_RESPONSES: u64 = 1_000;
/// Responses to requests with a higher limit are not cached.
const MAX_HITS: usize = 100;

/// The responses of one index.
pub(crate) struct ResultCache(Cache<CacheKey, Arc<SearchResponse>>);

/// Everything that a response depends on.
#[derive(PartialEq, Eq, Hash)]
struct CacheKey {
    /// The state of the index.
    generation: u64,
    query: ParsedQuery,
    visibility: Visibility,
    kinds: Vec<Kind>,
    projects: Option<IdSet>,
    closed: Option<IdSet>,
    titles_only: bool,
    attachments: Attachments,
    all_words: bool,
    order: Order,
    filters: Vec<AttributeFilter>,
    resolved: Vec<ResolvedQualifier>,
    facets: Vec<Facet>,
    offset: usize,
    limit: usize,
    with_alternatives: bool,
    minute: i64,
}

impl CacheKey {
    fn new(generation: u64, request: &SearchRequest<'_>) -> CacheKey {
        CacheKey {
            generation,
            query: request.query.clone(),
            visibility: request.visibility.clone(),
            kinds: request.kinds.to_vec(),
            projects: request.projects.cloned(),
            closed: request.closed.cloned(),
            titles_only: request.titles_only,
            attachments: request.attachments,
            all_words: request.all_words,
            order: request.order,
            filters: request.filters.to_vec(),
            resolved: request.resolved.to_vec(),
            facets: request.facets.to_vec(),
            offset: request.offset,
            limit: request.limit,
            with_alternatives: request.with_alternatives,
            minute: request.now.as_second().div_euclid(60),
        }
    }
}

impl ResultCache {
    /// Creates an empty cache.
    pub fn new() -> ResultCache {
        ResultCache(Cache::new(MAX_RESPONSES))
    }

    /// Returns the cached response to the request on this state of the index, or runs `search` and
    /// caches its response.
    pub fn get_or_insert<E>(
        &self,
        generation: u64,
        request: &SearchRequest<'_>,
        search: impl FnOnce() -> Result<SearchResponse, E>,
    ) -> Result<SearchResponse, E> {
        if request.limit > MAX_HITS {
            return search();
        }
        let key = CacheKey::new(generation, request);
        if let Some(response) = self.0.get(&key) {
            return Ok(SearchResponse::clone(&response));
        }
        let response = search()?;
        self.0.insert(key, Arc::new(response.clone()));
        Ok(response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::config::IndexConfig;
    use jiff::{SignedDuration, Timestamp};
    use std::cell::Cell;

    #[test]
    fn only_equal_requests_share_a_response() {
        let bounds = IndexConfig::embedded().unwrap().bounds;
        let pump = ParsedQuery::parse("pump", &bounds).unwrap();
        let motor = ParsedQuery::parse("motor", &bounds).unwrap();
        let viewer = Visibility::everything();
        let other = Visibility::everything();
        let projects = IdSet::from_iter([1]);
        let now = Timestamp::UNIX_EPOCH;
        let request = SearchRequest::new(&pump, &viewer, now, 25);
        let cache = ResultCache::new();
        let searches = Cell::new(0);
        let total = |generation: u64, request: &SearchRequest<'_>| {
            let response = cache.get_or_insert(generation, request, || {
                searches.set(searches.get() + 1);
                Ok::<_, ()>(SearchResponse {
                    total: searches.get(),
                    ..SearchResponse::default()
                })
            });
            response.unwrap().total
        };
        assert_eq!(
            [
                total(1, &request),
                total(1, &request),
                total(
                    1,
                    &SearchRequest {
                        visibility: &viewer.clone(),
                        ..request.clone()
                    }
                )
            ],
            [1, 1, 1]
        );
        let different = [
            SearchRequest {
                query: &motor,
                ..request.clone()
            },
            SearchRequest {
                visibility: &other,
                ..request.clone()
            },
            SearchRequest {
                kinds: &[Kind::News],
                ..request.clone()
            },
            SearchRequest {
                projects: Some(&projects),
                ..request.clone()
            },
            SearchRequest {
                closed: Some(&projects),
                ..request.clone()
            },
            SearchRequest {
                titles_only: true,
                ..request.clone()
            },
            SearchRequest {
                attachments: Attachments::With,
                ..request.clone()
            },
            SearchRequest {
                all_words: false,
                ..request.clone()
            },
            SearchRequest {
                order: Order::Date,
                ..request.clone()
            },
            SearchRequest {
                facets: &[Facet::ALL[0]],
                ..request.clone()
            },
            SearchRequest {
                offset: 25,
                ..request.clone()
            },
            SearchRequest {
                with_alternatives: true,
                ..request.clone()
            },
            SearchRequest {
                limit: 50,
                ..request.clone()
            },
            SearchRequest {
                now: now + SignedDuration::from_mins(1),
                ..request.clone()
            },
        ];
        for (count, different) in (2..).zip(&different) {
            assert_eq!(total(1, different), count, "{different:?}");
        }
        let before = searches.get();
        assert_eq!(total(2, &request), before + 1, "the index has changed");
        let long = SearchRequest {
            limit: MAX_HITS + 1,
            ..request.clone()
        };
        assert_ne!(
            total(1, &long),
            total(1, &long),
            "long responses are not cached"
        );
    }

    #[test]
    fn errors_are_not_cached() {
        let bounds = IndexConfig::embedded().unwrap().bounds;
        let pump = ParsedQuery::parse("pump", &bounds).unwrap();
        let viewer = Visibility::everything();
        let cache = ResultCache::new();
        let request = SearchRequest::new(&pump, &viewer, Timestamp::UNIX_EPOCH, 25);
        assert_eq!(
            cache.get_or_insert(1, &request, || Err("too late")),
            Err("too late")
        );
        let response = cache.get_or_insert(1, &request, || {
            Ok::<_, ()>(SearchResponse {
                total: 7,
                ..SearchResponse::default()
            })
        });
        assert_eq!(response.unwrap().total, 7);
    }
}
