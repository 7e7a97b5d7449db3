//! The watchers of an issue (compatibility 6.7).

mod create;
mod delete;

pub use create::create;
pub use delete::delete;
