//! Issue categories.

mod create;
mod delete;
mod find;
mod update;

pub use create::{CategoryChange, create};
pub use delete::delete;
pub use find::find;
pub use update::update;
