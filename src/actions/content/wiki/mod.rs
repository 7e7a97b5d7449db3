//! Wiki pages (compatibility 7 and 13.4).
//!
//! Invariants: titles are unique in a wiki, in any case and script. No page is below itself. A
//! protected page changes only by users who may protect pages. May import: `domain`, `store`.

mod change;
mod find;
mod merge;
mod save;
mod transfer;

pub use change::{Children, delete, protect, rename, set_start_page};
pub use find::{ResolvedPage, find, find_version, find_wiki};
pub use merge::{MergedPage, RebasedChange, rebase, save_merged};
pub use save::{SavedPage, save};
pub use transfer::{may_receive, transfer};
