//! Roles (compatibility 14).
//!
//! Invariants: builtin roles are never deleted, and never given permissions that they cannot have.
//! No member and no setting refers to a deleted role. May import: `domain`, `store`.

mod change;
mod create;
mod delete;
mod update;

pub use change::RoleChange;
pub use create::create;
pub use delete::delete;
pub use update::update;
