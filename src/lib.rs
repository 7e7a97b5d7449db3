//! Quarry: a project-management service that is searched first.

pub mod actions;
pub mod domain;
pub mod store;
pub mod wire;
