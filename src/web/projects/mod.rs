//! Pages of projects.

mod bookmark;
mod chart;
mod list;
mod overview;

pub use bookmark::update as update_bookmark;
pub use list::list;
pub use overview::show;
