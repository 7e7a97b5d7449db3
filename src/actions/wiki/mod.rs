//! What can be done with the pages of a wiki.

mod delete;
mod find;
mod move_page;
mod save;

pub use delete::{Children, delete};
pub use find::{Found, find, find_version};
pub use save::{Saved, save};
