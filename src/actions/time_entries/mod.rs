//! Time entries (compatibility 9).

mod change;
mod draft;
mod validate;

pub use crate::actions::time_entries::change::{LogTarget, create, delete, find, update};
