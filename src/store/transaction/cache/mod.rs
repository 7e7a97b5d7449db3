//! Caches of issues in memory: id sets of filters, the subjects of all issues, and issues that were
//! read recently.
//!
//! Invariant: a cache reflects committed records only, and follows `changes` before it is used.
//! Callers check the viewer's condition again on the issues that they show, so a cache cannot
//! reveal an issue. May import: `domain`, the rest of `store`.

mod id_sets;
mod issue_cache;
mod subject_scan;

pub use id_sets::{IssueIds, IssueSetCache, SetKey, SetQuery};
pub use issue_cache::IssueCache;
pub use subject_scan::SubjectScan;
