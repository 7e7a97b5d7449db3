//! The resource `/time_entries`, also below projects and issues (compatibility 9).

mod create;
mod delete;
mod fields;
mod list;
mod show;
mod update;
mod view;

pub use create::{create, create_on_issue};
pub use delete::delete;
pub use list::list;
pub use show::show;
pub use update::update;
