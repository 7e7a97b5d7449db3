//! Priorities of issues, activities of time entries and categories of documents (compatibility 14).
//!
//! Invariants: an enumeration has at most one default value, and no record refers to a deleted
//! value. Activities of a single project are part of the shared activity that they replace. May
//! import: `domain`, `store`.

mod change;
mod create;
mod delete;
mod find;
mod update;

pub use change::{EnumerationChange, customized};
pub use create::create;
pub use delete::delete;
pub use find::find;
pub use update::update;
