//! Suggestions while somebody types: records by the words of their titles.

use jiff::Timestamp;

use super::access::visibility::Visibility;
use super::error::SearchError;
use super::facade::Search;
use super::index::Index;
use super::query::parsed_query::{ParsedQuery, QueryError};
use super::query::word::Word;
use super::request::{Hit, Order, SearchRequest};
use super::schema::config::Bounds;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::id_set::IdSet;

/// A request for suggestions.
#[derive(Clone, Copy, Debug)]
pub struct SuggestRequest<'q> {
    /// Complete words and a prefix; see [`ParsedQuery::parse_incomplete`].
    pub query: &'q ParsedQuery,
    /// What the viewer may find.
    pub visibility: &'q Visibility,
    /// The content types.
    pub kinds: &'q [Kind],
    /// The projects; `None` for all.
    pub projects: Option<&'q IdSet>,
    /// The closed statuses, to find only open issues.
    pub closed: Option<&'q IdSet>,
    /// Maximum number of hits.
    pub limit: usize,
    /// The current time.
    pub now: Timestamp,
}

impl ParsedQuery {
    /// Parses the words of text that is still being typed, the last one as a prefix. Quotes and
    /// qualifiers have no meaning, because they may be incomplete.
    ///
    /// # Errors
    /// If the text is too long or has too many words.
    pub fn parse_incomplete(text: &str, bounds: &Bounds) -> Result<ParsedQuery, QueryError> {
        if text.chars().nth(bounds.query_characters).is_some() {
            return Err(QueryError::TooLong {
                limit: bounds.query_characters,
            });
        }
        let mut query = ParsedQuery::default();
        let mut ends_with_prefix = false;
        for word in text.split_inclusive(char::is_whitespace) {
            ends_with_prefix = !word.ends_with(char::is_whitespace);
            match Word::parse(word.trim_end(), false, bounds) {
                Some(word) if !query.words.contains(&word) => query.words.push(word),
                // A word that is already there as a whole need not match as a prefix too.
                _ => ends_with_prefix = false,
            }
            if query.words.len() > bounds.query_words {
                return Err(QueryError::TooManyWords {
                    limit: bounds.query_words,
                });
            }
        }
        Ok(if ends_with_prefix {
            query.with_last_as_prefix(bounds)
        } else {
            query
        })
    }
}

impl Search {
    /// Parses text that is still being typed; see [`ParsedQuery::parse_incomplete`].
    pub fn parse_incomplete(&self, text: &str) -> Result<ParsedQuery, QueryError> {
        ParsedQuery::parse_incomplete(text, self.bounds())
    }

    /// Returns the records whose titles have the words, best first.
    pub fn suggest(&self, request: &SuggestRequest<'_>) -> Result<Vec<Hit>, SearchError> {
        self.with_index(|index| index.suggest(request))
    }
}

impl Index {
    /// Returns the records whose titles have the words, best first.
    pub fn suggest(&self, request: &SuggestRequest<'_>) -> Result<Vec<Hit>, SearchError> {
        let request = SearchRequest {
            kinds: request.kinds,
            projects: request.projects,
            closed: request.closed,
            titles_only: true,
            order: Order::Relevance,
            ..SearchRequest::new(
                request.query,
                request.visibility,
                request.now,
                request.limit,
            )
        };
        Ok(self.search(&request)?.hits)
    }
}
