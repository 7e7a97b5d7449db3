//! Versions of projects (compatibility 11.8).
//!
//! Invariants: no issue, file or custom value refers to a deleted version. Issues and projects lose
//! a version that is no longer shared with them. May import: `domain`, `store`.

mod change;
mod create;
mod delete;
mod find;
mod update;

pub use change::VersionChange;
pub use create::create;
pub use delete::delete;
pub use find::{find, list};
pub use update::update;
