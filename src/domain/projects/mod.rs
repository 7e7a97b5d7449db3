//! Projects with their modules, versions and categories.

pub mod module;
pub mod project;
pub mod version;
