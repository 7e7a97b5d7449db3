//! Boards of forums.

mod create;
mod delete;
mod find;
mod update;

pub use create::{BoardChange, create};
pub use delete::delete;
pub use find::find;
pub use update::update;
