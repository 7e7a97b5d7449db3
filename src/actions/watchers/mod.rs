//! Who follows what happens with an issue.

mod create;
mod remove;

pub use create::create;
pub use remove::remove;
