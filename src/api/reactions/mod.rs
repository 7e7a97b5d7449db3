//! Reactions to issues, notes, news, comments and messages (compatibility 13.8).

mod change;
mod list;
mod target;

pub use change::{create, delete};
pub use list::list;
pub use target::{ToComment, ToIssue, ToJournal, ToMessage, ToNews};
