//! Users, as administrators manage them (compatibility 11.1).
//!
//! Invariants: only administrators and the operator change users. There is always an active
//! administrator, and nobody locks or deletes their own account. What was written by a deleted user
//! belongs to the anonymous user.

mod change;
mod create;
mod list;
mod update;

pub use change::{NewPassword, RightsChange, UserChange};
pub use create::{CreatedUser, create};
pub use list::{Actor, anonymous};
pub use list::{UserFilter, list};
pub use update::{UpdatedUser, update};
pub use update::{delete, switch_off_second_factor};
