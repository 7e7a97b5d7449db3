//! Changesets and the issues that they refer to (compatibility 11.10).

mod related_issues;

pub use related_issues::{ChangesetAddress, add_issue, remove_issue};
