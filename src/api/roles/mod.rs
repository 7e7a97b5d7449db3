//! The resource `/roles` (compatibility 11.2 and 14).

mod create;
mod delete;
mod fields;
mod list;
mod show;
mod update;
mod view;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use show::show;
pub use update::update;
