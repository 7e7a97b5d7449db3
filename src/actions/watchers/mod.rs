//! Watchers of issues.

mod create;
mod delete;
mod own;

pub use create::create;
pub use delete::delete;
pub use own::{is_watching, set_watching};
