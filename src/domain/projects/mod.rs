//! Projects, and what belongs to one: modules, categories, versions, repositories with their
//! changesets.

pub mod category;
pub mod changeset;
pub mod commit_message;
pub mod module;
pub mod project;
pub mod repository;
pub mod update_rules;
pub mod version;
