//! Documents of projects.

mod create;
mod delete;
mod find;
mod update;

pub use create::{DocumentChange, create};
pub use delete::delete;
pub use find::find;
pub use update::update;
