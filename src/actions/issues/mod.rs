//! What can be done with issues.

mod allowed;
pub(super) mod assignable;
mod change;
mod closing;
mod create;
mod draft;
mod find;
mod history;
mod judge;
pub(super) mod parents;
mod place;
mod remove;
mod rights;
mod schedule;
pub(super) mod watching;

pub use allowed::allowed;
pub use change::{change, limit_note};
pub use create::create;
pub use find::find;
pub use remove::{Spent, remove};
pub(super) use schedule::moves;
pub use schedule::{follow, soonest_start};
