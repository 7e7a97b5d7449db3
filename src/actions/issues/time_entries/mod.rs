//! Time entries (compatibility 9).

mod change;
mod draft;
pub mod timers;
mod validate;
pub mod week;

pub use change::{LogTarget, create, delete, find, may_delete, may_edit, update};
