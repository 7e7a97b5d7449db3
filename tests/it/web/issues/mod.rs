//! Pages that write issues.

mod bulk;
mod bulk_actions;
mod comment;
mod conflict;
mod exports;
mod files;
mod filter_forms;
mod list;
mod new;
mod notes;
mod pictures;
mod queries;
mod remembered;
