//! Watchers of issues.

mod create;
mod delete;

pub use create::create;
pub use delete::delete;
