//! Versions of projects (compatibility 11.8).

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
