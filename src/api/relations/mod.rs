//! Relations between issues.

mod create;
mod delete;
mod list;
mod show;
pub mod view;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use show::show;
