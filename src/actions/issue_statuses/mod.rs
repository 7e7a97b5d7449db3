//! Issue statuses (compatibility 14).
//!
//! Invariants: no issue and no tracker refers to a deleted status. Issues in a status that closes
//! them have a closing time. May import: `domain`, `store`.

mod change;
mod create;
mod delete;
mod update;

pub use change::StatusChange;
pub use create::create;
pub use delete::delete;
pub use update::update;
