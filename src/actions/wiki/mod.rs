//! What can be done with the pages of a wiki.

mod find;
mod place;
mod remove;
mod save;

pub use find::{Found, find, find_version};
pub use remove::{Children, remove};
pub use save::{Saved, save};
