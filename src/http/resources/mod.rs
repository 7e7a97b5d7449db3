//! What the REST API, the pages and the mails share about resources: paths, scopes, filters, fields of
//! bodies, sentences about events, lists and the search.
//!
//! Invariant: records are loaded from the store with the viewer's own condition. May import: the
//! other submodules of `http`, and everything below `http`.

pub mod audit;
pub mod board_cells;
pub mod custom_values;
pub mod export;
pub mod fields;
pub mod filters;
pub mod inbox;
pub mod issue_list;
pub mod journal_changes;
pub mod paths;
pub mod project_scope;
pub mod saved_issues;
pub mod search;
pub mod sentences;
pub mod text_filter;
pub mod time_entry_list;
pub mod unknown_params;
pub mod user_agent;
pub mod user_permissions;
