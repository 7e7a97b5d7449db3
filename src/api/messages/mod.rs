//! Messages of forums: topics and their replies (compatibility 13.2).

mod create;
mod delete;
mod fields;
mod list;
mod show;
mod update;
mod view;

pub use create::{create_reply, create_topic};
pub use delete::delete;
pub use list::list;
pub use show::show;
pub use update::update;
