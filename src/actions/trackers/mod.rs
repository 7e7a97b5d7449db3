//! Trackers (compatibility 14).
//!
//! Invariants: no issue, project, custom field or setting refers to a deleted tracker. The default
//! status exists. May import: `domain`, `store`.

mod change;
mod create;
mod delete;
mod update;

pub use change::TrackerChange;
pub use create::create;
pub use delete::delete;
pub use update::update;
