//! `quarry import redmine`

mod broken_rows;
mod builtin_users;
pub mod complete;
mod engines;
mod failures;
mod files;
pub mod loader;
mod local_changes;
mod memberships;
mod passwords;
mod queries;
mod repeated_runs;
mod roles;
mod running_service;
pub mod servers;
mod settings;
pub mod tls;
mod values;
mod versions;
