//! Pages of projects: the tree, the overview of a project, and its bookmark.

mod bookmark;
mod chart;
mod list;
mod overview;

pub use bookmark::update as update_bookmark;
pub use list::list;
pub use overview::show;
