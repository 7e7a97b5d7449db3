//! The resource `/journals`: changes of notes (compatibility 6.8). Journals are read as a part of
//! their issue.

mod update;
pub mod view;

pub use update::update;
