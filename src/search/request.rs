//! The request and the response of a search.
//!
//! A request holds everything that the response depends on, apart from the state of the index: two
//! equal requests on the same state have the same response. May import: `query`, `schema`,
//! `access`.

use jiff::Timestamp;

use super::access::visibility::Visibility;
use super::query::parsed_query::ParsedQuery;
use super::query::resolve::ResolvedQualifier;
use super::query::sort::sort_of;
use super::schema::columns::{AttributeFilter, Facet, FacetCounts};
use super::schema::store_condition::StoreCondition;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::id_set::IdSet;
use quarry_store::{Read, StoreError};

/// With fewer hits than this, a search has alternatives.
pub const FEW_HITS: u64 = 10;

/// A search.
#[derive(Clone, Debug)]
pub struct SearchRequest<'q> {
    pub query: &'q ParsedQuery,
    /// What the viewer may find.
    pub visibility: &'q Visibility,
    /// The content types.
    pub kinds: &'q [Kind],
    /// The projects; `None` for all.
    pub projects: Option<&'q IdSet>,
    /// The closed statuses, to find only open issues. Other content types have no status.
    pub closed: Option<&'q IdSet>,
    /// Whether only titles are searched.
    pub titles_only: bool,
    /// Whether names and descriptions of attachments are searched.
    pub attachments: Attachments,
    /// Whether every word must match, or any.
    pub all_words: bool,
    /// The order of the hits.
    pub order: Order,
    /// Hits pass all of these.
    pub filters: &'q [AttributeFilter],
    /// The conditions of the qualifiers in the clauses of the query.
    pub resolved: &'q [ResolvedQualifier],
    /// Hits are counted by these.
    pub facets: &'q [Facet],
    /// How many hits to skip.
    pub offset: usize,
    /// Maximum number of hits in the response.
    pub limit: usize,
    /// Whether to look for alternatives where there are few hits.
    pub with_alternatives: bool,
    /// The current time, for the recency of hits.
    pub now: Timestamp,
}

impl<'q> SearchRequest<'q> {
    /// Creates a request for the first hits with all words, in all types and projects and in all
    /// text but attachments.
    pub fn new(
        query: &'q ParsedQuery,
        visibility: &'q Visibility,
        now: Timestamp,
        limit: usize,
    ) -> SearchRequest<'q> {
        SearchRequest {
            query,
            visibility,
            kinds: &Kind::ALL,
            projects: None,
            closed: None,
            titles_only: false,
            attachments: Attachments::Without,
            all_words: true,
            order: Order::Grouped,
            filters: &[],
            resolved: &[],
            facets: &[],
            offset: 0,
            limit,
            with_alternatives: false,
            now,
        }
    }

    /// Returns the conditions that the store tests.
    pub(crate) fn store_conditions(&self) -> impl Iterator<Item = &'q StoreCondition> + use<'q> {
        let filters = self
            .filters
            .iter()
            .filter_map(AttributeFilter::store_condition);
        let resolved = self.resolved.iter();
        filters.chain(resolved.filter_map(ResolvedQualifier::store_condition))
    }

    /// Whether the last search of this request needs issues tested by the store.
    pub(crate) fn has_pending(&self) -> bool {
        self.store_conditions().any(StoreCondition::has_pending)
    }

    /// Leaves them untested.
    pub(crate) fn forget_pending(&self) {
        self.store_conditions()
            .for_each(StoreCondition::forget_pending);
    }

    /// Tests them.
    pub(crate) fn test_pending(&self, db: &Read<'_>, viewer: &Viewer) -> Result<(), StoreError> {
        self.store_conditions()
            .try_for_each(|condition| condition.test_pending(db, viewer))
    }
}

/// A record that matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its content type.
    pub kind: Kind,
    /// Its id within the type.
    pub id: i64,
    /// Its score relative to the best hit; `None` when hits are sorted by date.
    pub score: Option<f32>,
}

/// Returns a score relative to the best one; 1 when no hit has a score.
pub(crate) fn relative_score(score: f32, max_score: f32) -> f32 {
    if max_score > 0.0 {
        score / max_score
    } else {
        1.0
    }
}

/// The response to a [`SearchRequest`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResponse {
    /// The hits from `offset` on, at most `limit`.
    pub hits: Vec<Hit>,
    /// The number of all hits.
    pub total: u64,
    /// The number of hits of each content type, by [`Kind::code`].
    pub counts: [u64; 7],
    /// The number of hits by value of each requested facet.
    pub facets: Vec<(Facet, FacetCounts)>,
    /// The query that was run in place of that of the request: corrected, or reduced to its rarest
    /// words.
    pub searched: Option<ParsedQuery>,
    /// A correction of the query.
    pub did_you_mean: Option<DidYouMean>,
    /// Other searches that find more, the best first, if they were requested and there are few
    /// hits.
    pub alternatives: Vec<Alternative>,
}

impl SearchResponse {
    /// Returns the first alternative with at least [`FEW_HITS`] hits, or else the first.
    pub fn best_alternative(&self) -> Option<&Alternative> {
        self.alternatives
            .iter()
            .find(|alternative| alternative.total >= FEW_HITS)
            .or(self.alternatives.first())
    }
}

/// What a misspelled query probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DidYouMean {
    /// The text of the query without misspellings.
    pub text: String,
    /// The number of its hits.
    pub total: u64,
    /// Whether the corrected words were searched, and not those of the request.
    pub is_searched: bool,
}

/// A search with corrected or fewer words that finds more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The text of its query.
    pub text: String,
    /// Whether every word must match, or any.
    pub all_words: bool,
    /// The words that were left out.
    pub without: Vec<String>,
    /// The number of its hits.
    pub total: u64,
}

/// Whether attachments are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Attachments {
    /// All text but the names and descriptions of attachments.
    #[default]
    Without,
    /// All text.
    With,
    /// Only the names and descriptions of attachments.
    Only,
}

impl Order {
    /// Returns the order that the text of a query asks for (`sort:`); `None` if it asks for none. An
    /// error is the message for the user: the order is one of lists.
    pub fn requested(text: &str) -> Result<Option<Order>, String> {
        let Some(sort) = sort_of(text) else {
            return Ok(None);
        };
        match (sort.name.as_str(), sort.is_descending) {
            ("relevance", None | Some(true)) => Ok(Some(Order::Relevance)),
            ("date", None | Some(true)) => Ok(Some(Order::Date)),
            (name, _) => Err(format!(
                "a search is sorted by sort:relevance or sort:date, the newest first; sort:{name} is an order of lists of issues"
            )),
        }
    }
}

/// The order of hits. `offset` and `limit` apply to the whole sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Grouped by content type: the groups by their best hit, hits within a group by relevance.
    #[default]
    Grouped,
    /// By relevance, with all types mixed.
    Relevance,
    /// Newest first, with all types mixed. No scores are computed.
    Date,
}
