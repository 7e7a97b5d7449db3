//! Quarry: a project-management service that is searched first.

pub mod domain;
pub mod markup;
pub mod wire;
pub mod search;
