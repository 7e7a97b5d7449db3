//! Users, as administrators manage them (compatibility 11.1).
//!
//! Invariants: only administrators and the operator change users. There is always an active
//! administrator, and nobody locks or deletes their own account. What was written by a deleted user
//! belongs to the anonymous user.

mod actor;
mod anonymous;
mod change;
mod create;
mod delete;
mod list;
mod second_factor;
mod update;

pub use actor::Actor;
pub use anonymous::anonymous;
pub use change::{NewPassword, RightsChange, UserChange};
pub use create::{CreatedUser, create};
pub use delete::delete;
pub use list::{UserFilter, list};
pub use second_factor::switch_off_second_factor;
pub use update::{UpdatedUser, update};
