//! Pages of issues: lists, the form for a new one, and an issue with its history and comment box.

mod board;
mod bulk;
mod changes;
mod comment_box;
mod conflict;
mod copy;
mod delete;
mod edit_field;
mod fields;
mod files;
mod form;
mod history;
mod issue_pages;
pub mod issue_reference;
mod list;
mod log_time;
mod losses;
mod move_project;
mod new;
mod notes;
mod related;
mod relations;
mod routes;
mod show;
mod subtasks;
mod update;
mod watchers;

pub use changes::Change;
pub use fields::hours;
pub use list::{FilterChoices, FilterNames, atom, csv, list};
pub use new::{create, new};
pub use related::{IssueLink, links};
pub use routes::routes;
pub use show::show;
pub use update::{edit, update};
