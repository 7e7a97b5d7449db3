//! Search.

mod list;
mod view;

pub use list::list;
