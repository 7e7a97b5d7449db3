//! Issues related to the revisions of a repository (compatibility 11.10).

mod create_issue;
mod delete_issue;
mod fields;

pub use create_issue::create_issue;
pub use delete_issue::delete_issue;
