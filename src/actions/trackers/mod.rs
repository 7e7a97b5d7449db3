//! Trackers (compatibility 14).

mod change;
mod create;
mod delete;
mod update;

pub use change::TrackerChange;
pub use create::create;
pub use delete::delete;
pub use update::update;
