//! Search.

mod list;
mod question;
mod view;

pub use list::list;
