//! Issues.

pub mod assignable;
pub mod board_limits;
pub mod bulk;
pub mod card_moves;
mod copy;
mod create;
mod delete;
mod draft;
mod editable;
mod history;
pub mod issue_templates;
pub mod journals;
mod move_project;
pub(super) mod parents;
pub mod relations;
mod rights;
pub mod saved_replies;
mod schedule;
pub mod time_entries;
mod update;
mod validate;
pub(super) mod watching;

pub use copy::{CopiedParts, as_change, copy, may_copy};
pub(super) use create::apply_rule;
pub use create::create;
pub use delete::{SpentTime, delete, may_delete};
pub use editable::{Editable, for_update, new, projects};
pub use rights::{allowed_statuses, find};
pub(super) use schedule::would_move;
pub use schedule::{reschedule_successors, soonest_start};
pub use update::{limit_note, may_edit, update};
