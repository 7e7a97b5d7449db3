//! Journals: the history of issues.

mod list;
mod update;

pub use list::{list, list_by_ids, sizes};
pub use update::{JournalChange, find, may_update, update};
