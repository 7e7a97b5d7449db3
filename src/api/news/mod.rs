//! News and their comments (compatibility 11.5).

mod comments;
mod create;
mod delete;
mod fields;
mod list;
mod show;
mod update;
mod view;

pub use comments::{create_comment, delete_comment, list_comments};
pub use create::create;
pub use delete::delete;
pub use list::list;
pub use show::show;
pub use update::update;
