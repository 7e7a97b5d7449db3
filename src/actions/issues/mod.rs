//! Issues.

mod allowed_statuses;
pub(super) mod assignable;
mod commit;
mod create;
mod delete;
mod draft;
mod duplicates;
mod editable;
mod find;
mod history;
mod move_project;
pub(super) mod parents;
mod rights;
mod schedule;
mod update;
mod validate;
pub(super) mod watching;

pub use allowed_statuses::allowed_statuses;
pub(super) use commit::apply_rule;
pub use create::create;
pub use delete::{SpentTime, delete};
pub use editable::{Editable, for_update, new, projects};
pub use find::find;
pub(super) use schedule::would_move;
pub use schedule::{reschedule_successors, soonest_start};
pub use update::{OUTDATED, limit_note, update};
