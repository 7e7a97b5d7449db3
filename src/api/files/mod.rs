//! The files of projects and their versions (compatibility 11.9).

mod create;
mod list;
mod view;

pub use create::create;
pub use list::list;
