//! Reactions of users to issues, notes, news, comments and messages.

mod change;
mod find;
mod list;

pub use change::{create, delete};
pub use find::{ReactionTarget, may_react};
pub use list::{list, list_by_records};
