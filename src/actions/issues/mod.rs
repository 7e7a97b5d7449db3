//! What can be done with issues.

mod assignable;
mod change;
mod create;
mod remove;

pub use change::change;
pub use create::create;
pub use remove::remove;
