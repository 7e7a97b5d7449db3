//! Quarry: a project-management service that is searched first.

pub mod actions;
pub mod app;
pub mod cli;
pub mod config;
pub mod domain;
pub mod http;
pub mod store;
pub mod telemetry;
pub mod wire;
