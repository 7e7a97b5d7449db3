//! The files of projects and their versions (compatibility 11.9).

mod create;
mod list;

pub use create::{NewProjectFile, create};
pub use list::{MAX_FILES, list};
