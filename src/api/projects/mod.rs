//! Projects.

mod list;
mod show;
mod view;

pub use list::list;
pub use show::show;
