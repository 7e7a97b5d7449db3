//! Changesets and the issues that they refer to (compatibility 11.10 and 13.3).

mod create;
mod references;
mod related_issues;

pub use create::{NewRevision, RecordedChangeset, create};
pub use related_issues::{ChangesetAddress, add_issue, remove_issue};
