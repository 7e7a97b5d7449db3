//! What can be done with issues.

mod assignable;
mod change;
mod create;
mod find;
mod remove;

pub use change::change;
pub use create::create;
pub use find::find;
pub use remove::remove;
