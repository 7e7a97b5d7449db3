//! Repositories of projects: what is known about them, not their contents.

mod create;
mod delete;
mod find;
mod update;

pub use create::{NewRepository, create};
pub use delete::delete;
pub use find::{find, find_in_project};
pub use update::{RepositoryChange, update};
