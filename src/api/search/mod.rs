//! Search.

mod list;
mod suggest;
pub mod view;

pub use list::list;
pub use suggest::suggest;
