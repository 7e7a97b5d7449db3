//! The resource `/issues` (compatibility 6.1 and 6.3), and similar issues.

mod create;
mod delete;
mod fields;
mod history;
mod include;
mod list;
mod reply;
mod show;
mod similar;
mod update;
mod view;

pub use create::create;
pub use delete::{delete, delete_several};
pub use list::list;
pub use show::show;
pub use similar::{similar, similar_to_draft};
pub use update::update;
