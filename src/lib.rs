//! Quarry: a project-management service that is searched first.

pub mod domain;
pub mod wire;
pub mod search;
