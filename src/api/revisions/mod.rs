//! Revisions of repositories and the issues related to them (compatibility 11.10 and 13.3).

mod create;
mod create_issue;
mod delete_issue;
mod fields;
mod list;
mod show;
mod view;

pub use create::create;
pub use create_issue::create_issue;
pub use delete_issue::delete_issue;
pub use list::list;
pub use show::show;
