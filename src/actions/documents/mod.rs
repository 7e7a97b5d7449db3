//! Documents of projects (compatibility 13.1).
//!
//! Invariants: a document that the viewer may not see is treated as missing. A category that is no
//! longer active can be kept, but not set. May import: `domain`, `store`.

mod create;
mod delete;
mod find;
mod update;

pub use create::{DocumentChange, create};
pub use delete::delete;
pub use find::find;
pub use update::update;
