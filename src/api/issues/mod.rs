//! The resource `/issues` (compatibility 6.1 and 6.3), and similar issues.

mod change;
mod history;
mod include;
mod list;
mod similar;
pub mod view;

pub use change::{create, delete, delete_several, update};
pub use list::{export, list, show};
pub use similar::{similar, similar_to_draft};
