//! Pages of issues: lists, the form for a new one, and an issue with its history and comment box.

mod bulk;
mod changes;
mod comment_box;
mod conflict;
mod fields;
mod form;
mod history;
mod list;
mod new;
mod related;
mod show;
mod update;

pub use bulk::routes;
pub use list::{atom, csv, list};
pub use new::{create, new};
pub use related::{IssueLink, links};
pub use show::show;
pub use update::{edit, update};
