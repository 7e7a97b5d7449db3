//! Repositories of projects (compatibility 13.3).

mod create;
mod delete;
mod list;
mod show;
mod update;
pub mod view;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use show::show;
pub use update::update;
