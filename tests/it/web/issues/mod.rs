//! Pages that write issues.

mod bulk;
mod comment;
mod conflict;
mod exports;
mod files;
mod filter_forms;
mod list;
mod new;
mod new_aids;
mod notes;
mod pictures;
mod queries;
