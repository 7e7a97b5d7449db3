//! The resource `/enumerations`: issue priorities, time entry activities and document categories
//! (compatibility 11.3 and 14).

mod create;
mod delete;
mod fields;
mod list;
mod names;
mod show;
mod update;
mod view;

pub use create::create;
pub use delete::delete;
pub use list::list;
pub use show::show;
pub use update::update;
