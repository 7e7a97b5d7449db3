//! What can be done with the pages of a wiki.

mod delete;
mod find;
mod move_page;
mod save;

pub use delete::{Children, delete};
pub use find::{ResolvedPage, find, find_version};
pub use save::{Saved, save};
