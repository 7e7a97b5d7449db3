//! News and their comments (compatibility 11.5).
//!
//! Invariant: texts that an import brought may be longer than permitted as long as they do not
//! change. May import: `domain`, `store`.

mod change;
mod comments;
mod create;
mod delete;
mod find;
mod update;

pub use change::NewsChange;
pub use comments::{create_comment, delete_comment};
pub use create::create;
pub use delete::delete;
pub use find::find;
pub use update::update;
