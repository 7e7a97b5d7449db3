//! Pages of projects: the tree, the overview of a project, its bookmark, and the form for a new
//! one.

mod bookmark;
mod chart;
mod list;
mod new;
mod new_fields;
mod overview;

pub use bookmark::update as update_bookmark;
pub use list::list;
pub use new::{create, new};
pub use overview::show;
