//! The resource `/users` (compatibility 11.1).

mod change;
mod list;
pub mod view;

pub use crate::api::users::change::{create, delete, update};
pub use crate::api::users::list::{current, show};
pub use list::list;
