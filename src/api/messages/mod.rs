//! Topics and replies of forums (compatibility 13.2).

mod create;
mod delete;
mod fields;
mod list;
mod show;
mod update;
mod view;

pub use create::{create, reply};
pub use delete::delete;
pub use list::list;
pub use show::show;
pub use update::update;
