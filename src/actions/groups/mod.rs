//! Groups, as administrators manage them (compatibility 11.2).
//!
//! Invariant: users of a group have its memberships, from the next request on.

mod change;
mod create;
mod delete;
mod update;
mod users;

pub use change::GroupChange;
pub use create::create;
pub use delete::delete;
pub use update::update;
pub use users::{add_users, remove_users};
