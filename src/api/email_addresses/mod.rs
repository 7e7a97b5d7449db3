//! Further mail addresses of users, for administrators (compatibility 14).

mod change;
mod list;
mod view;

pub use change::{create, delete, update};
pub use list::{list, show};
