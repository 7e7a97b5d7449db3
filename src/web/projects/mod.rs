//! Pages of projects.

mod chart;
mod list;
mod overview;

pub use list::list;
pub use overview::show;
