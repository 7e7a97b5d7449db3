//! Wiki pages.

mod delete;
mod find;
mod move_page;
mod protect;
mod rename;
mod save;

pub use delete::{Children, delete};
pub use find::{ResolvedPage, find, find_version, find_wiki};
pub use protect::protect;
pub use rename::rename;
pub use save::{SavedPage, save};
