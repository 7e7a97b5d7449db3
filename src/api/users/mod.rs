//! The resource `/users` (compatibility 11.1).

mod change;
mod list;
pub mod view;

pub use change::{create, delete, update};
pub use list::list;
pub use list::{current, show};
