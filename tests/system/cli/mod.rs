//! Commands of the real program, on their own data directories.

mod activation;
mod commands;
mod completion;
mod config;
mod demo;
mod documented;
mod file_permissions;
mod healthcheck;
mod links;
mod oauth;
mod output;
mod search;
mod serve;
pub mod setup;
pub mod setup_import;
mod supervision;
