//! Wiki pages (compatibility 7 and 13.4).
//!
//! Invariants: titles are unique in a wiki, in any case and script. No page is below itself. A
//! protected page changes only by users who may protect pages. May import: `domain`, `store`.

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
