//! Wiki pages (compatibility 7).

mod address;
mod change;
mod list;
mod view;

pub use change::{delete, delete_version, protect, rename, update};
pub use list::list;
pub use list::{diff, history, show};
