//! Wiki pages (compatibility 7).

mod address;
mod delete;
mod diff;
mod fields;
mod history;
mod list;
mod protect;
mod rename;
mod show;
mod update;
mod view;

pub use delete::{delete, delete_version};
pub use diff::diff;
pub use history::history;
pub use list::list;
pub use protect::protect;
pub use rename::rename;
pub use show::show;
pub use update::update;
