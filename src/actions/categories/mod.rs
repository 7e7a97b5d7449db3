//! What can be done with issue categories.

mod change;
mod create;
mod find;
mod remove;

pub use change::change;
pub use create::{CategoryChange, create};
pub use find::find;
pub use remove::remove;
