//! Repositories of projects: what hooks and users record about them, not their contents
//! (compatibility 13.3).
//!
//! Invariant: the first repository of a project is its main one, which only another one can
//! replace. May import: `domain`, `store`.

mod create;
mod delete;
mod find;
mod update;

pub use create::{NewRepository, create};
pub use delete::delete;
pub use find::{find, find_in_project};
pub use update::{RepositoryChange, update};
