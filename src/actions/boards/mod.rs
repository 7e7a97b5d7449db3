//! Boards of the forums of projects (compatibility 13.2).
//!
//! Invariants: the parent of a board is in the same project, and no board is below itself. A
//! deleted board takes its messages along; the boards below it stay. May import: `domain`, `store`.

mod create;
mod delete;
mod find;
mod update;

pub use create::{BoardChange, create};
pub use delete::delete;
pub use find::find;
pub use update::update;
