//! The resource `/projects` (compatibility 8).

mod bookmark;
mod create;
mod delete;
mod list;
mod show;
mod state;
mod update;
mod view;

pub use bookmark::{add_bookmark, remove_bookmark};
pub use create::create;
pub use delete::delete;
pub use list::list;
pub use show::show;
pub use state::{archive, close, reopen, unarchive};
pub use update::update;
