//! What the search of the REST API and of the pages have in common: parameters, the call of the
//! index, titles and facets.
//!
//! Invariant: records are loaded from the store with the viewer's own condition; the index only
//! proposes them. May import: the other submodules of `http`, and everything below `http`.

pub mod completions;
pub mod facets;
mod find;
pub mod params;
mod summary;
pub mod title;
mod visibility;

pub use find::{
    FoundIssues, SearchHits, count, find, find_all, find_issue_by_id, find_issues, issue_ids,
};
pub use params::SearchParams;
pub use summary::{Summary, limit_param, load_summaries};
pub use visibility::current_visibility;
