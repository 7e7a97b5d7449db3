//! Changesets and the issues that they refer to (compatibility 11.10 and 13.3).
//!
//! Invariant: a revision is recorded once in a repository, and its message changes issues once. May
//! import: `domain`, `store`.

mod create;
mod references;
mod related_issues;

pub use create::{NewRevision, RecordedChangeset, create};
pub use related_issues::{ChangesetAddress, add_issue, remove_issue};
