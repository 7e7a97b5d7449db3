//! What the REST API and the pages share about resources: paths, scopes, filters, fields of bodies,
//! lists and the search.
//!
//! Invariant: records are loaded from the store with the viewer's own condition. May import: the
//! other submodules of `http`, and everything below `http`.

pub mod audit;
pub mod board_cells;
pub mod export;
pub mod fields;
pub mod filters;
pub mod inbox;
pub mod issue_list;
pub mod paths;
pub mod project_scope;
pub mod search;
pub mod sentences;
pub mod time_entry_list;
pub mod unknown_params;
pub mod user_permissions;
