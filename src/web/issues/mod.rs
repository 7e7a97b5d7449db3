//! Pages of issues.

mod changes;
mod fields;
mod history;
mod list;
mod related;
mod relations;
mod show;

pub use list::list;
pub use related::{IssueLink, links};
pub use show::show;
