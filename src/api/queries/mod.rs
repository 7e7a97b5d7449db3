//! The resource `/queries`: saved queries over issues (compatibility 11.6 and 13.7).

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
