//! Full-text search over the records of the store.
//!
//! A tantivy index mirrors the store. It stores no text and can be rebuilt at any time; hits are
//! loaded from the store. What is indexed and how hits are ranked is configured in `index-schema/`.
//! Invariant: text that a viewer may not read influences neither the hits nor the counts nor the
//! excerpts of that viewer. May import: `domain`, `store` (reads), `markup` (to strip it). The only
//! module that names tantivy.

mod access;
pub mod analyzer;
mod error;
mod execute;
mod explain;
mod facade;
mod highlight;
mod index;
mod query;
mod request;
mod results;
mod schema;
mod scoring;
mod shortage;
mod similar;
mod snapshot;
mod suggest;

pub use access::visibility::Visibility;
pub use error::SearchError;
pub use execute::deadline::with_request_deadline;
pub use explain::{Explanation, normalized};
pub use facade::{Search, Status};
pub use highlight::{CoveredWords, Excerpt, Highlighter, Passage, RenderedHit, TextField};
pub use index::Index;
pub use index::generations::{is_index, is_index_entry};
pub use index::rebuild::{index_exists, index_in_memory, rebuild_index};
pub use index::verify::{Difference, Report};
pub use query::clause::{Clause, Place, QualifierFilter};
pub use query::dates::PERIODS;
pub use query::edit::{
    QualifierToken, corrected_parts, qualifiers_of, with_closed_groups, with_qualifier,
};
pub use query::lexer::ParseError;
pub use query::meaning::{IS_VALUES, QualifierContext, changed_values, has_values};
pub use query::mistakes::{Mistake, mistakes, searched_text};
pub use query::parsed_query::{ParsedQuery, QueryError};
pub use query::parser::{AsText, searched_as_text, tokenize};
pub use query::qualifier::Qualifier;
pub use query::resolve::{ResolvedQualifier, resolve_clauses, resolve_qualifiers};
pub use query::sort::{Sort, sort_names, sort_of};
pub use query::token::{Token, TokenKind, is_quote};
pub use query::word::Word;
pub use request::{
    Alternative, Attachments, DidYouMean, FEW_HITS, Hit, Order, SearchRequest, SearchResponse,
};
pub use results::{
    MIN_WITH_ALL_WORDS, MatchExplanation, ResultLoader, ResultPage, SearchResult, WordMatch,
    insert_partial_results,
};
pub use schema::columns::{Attribute, AttributeFilter, Facet, FacetCounts, Predicate};
pub use schema::config::{Bounds, ConfigError, IndexConfig, SimilarConfig};
pub use similar::SimilarRequest;
pub use suggest::SuggestRequest;
