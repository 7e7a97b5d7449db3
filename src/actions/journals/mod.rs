//! What can be done with the history of issues.

mod list;
mod update;

pub use list::{list, sizes, some};
pub use update::{JournalChange, update};
