//! Forums: the boards of a project with their topics, and the settings that manage the boards.

mod settings;
mod show;

pub use settings::routes;
pub use show::{list, show, topics};
