//! What can be done with the history of issues.

mod change;
mod list;

pub use change::{JournalChange, change};
pub use list::{list, sizes, some};
