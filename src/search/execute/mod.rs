//! Runs a search on a snapshot of the index: plans the query, collects its hits, corrects
//! misspelled words and caches results.
//!
//! A search ends at its deadline, and its response depends on nothing but the request, the viewer's
//! visibility and the snapshot. May import: everything in `search` but `index` and `highlight`.

pub mod collector;
pub mod correction;
pub mod deadline;
pub mod facet_counter;
pub mod filters;
pub mod planner;
pub mod prefix;
pub mod result_cache;
pub mod spelling;
pub mod top_k;
pub mod totals;
