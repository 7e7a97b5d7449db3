//! The resource `/users` (compatibility 11.1).

mod create;
mod delete;
mod fields;
mod list;
mod show;
mod update;
pub mod view;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use show::{current, show};
pub use update::update;
