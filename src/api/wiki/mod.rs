//! Wiki pages (compatibility 7).

mod address;
mod change;
mod list;
mod view;

pub use crate::api::wiki::change::{delete, delete_version, protect, rename, update};
pub use crate::api::wiki::list::{diff, history, show};
pub use list::list;
