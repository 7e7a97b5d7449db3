//! Pages that write issues.

mod board;
mod board_moves;
mod bulk;
mod bulk_actions;
mod bulk_fields;
mod comment;
mod conflict;
mod copy;
mod delete;
mod exports;
mod fields;
mod files;
mod filter_forms;
mod list;
mod log_time;
mod moves;
mod new;
mod new_aids;
mod note_menu;
mod notes;
mod pictures;
mod queries;
mod relations;
mod remembered;
mod subtasks;
mod watchers;
