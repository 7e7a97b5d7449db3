//! Pages of projects: the tree, the overview of a project, its bookmark, and the form for a new
//! one.

mod chart;
mod list;
mod new;
mod overview;

pub use list::{list, update_bookmark};
pub use new::{create, new};
pub use overview::show;
