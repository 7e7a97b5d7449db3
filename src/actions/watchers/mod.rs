//! Watchers of issues, news, forums and wikis.

mod create;
mod delete;
mod find;
mod list;
mod own;

pub use create::create;
pub use delete::delete;
pub use find::WatchTarget;
pub use list::list;
pub use own::{is_watching, set_watching};
