//! Journals of issues.

mod update;
pub mod view;

pub use update::update;
