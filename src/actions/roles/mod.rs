//! Roles (compatibility 14).

mod change;
mod create;
mod delete;
mod update;

pub use change::RoleChange;
pub use create::create;
pub use delete::delete;
pub use update::update;
