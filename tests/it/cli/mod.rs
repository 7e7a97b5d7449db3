//! Commands of the real program, on their own data directories.

mod commands;
mod demo;
mod file_permissions;
mod links;
mod oauth;
pub mod process;
mod serve;
pub mod setup;
pub mod setup_import;
