//! Wiki pages (compatibility 7).

mod address;
mod delete;
mod fields;
mod list;
mod show;
mod update;
mod view;

pub use delete::{delete, delete_version};
pub use list::list;
pub use show::show;
pub use update::update;
