//! The resource `/relations`, and the relations of an issue (compatibility 6.8).

mod create;
mod delete;
mod list;
mod show;
pub mod view;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use show::show;
