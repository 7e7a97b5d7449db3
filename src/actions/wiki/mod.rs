//! Wiki pages.

mod delete;
mod find;
mod move_page;
mod save;

pub use delete::{Children, delete};
pub use find::{ResolvedPage, find, find_version, find_wiki};
pub use save::{SavedPage, save};
