//! The resource `/search`, and suggestions (docs/search.md; compatibility 10).

mod list;
mod suggest;
pub mod view;

pub use list::list;
pub use suggest::suggest;
