//! `quarry import redmine`

mod again;
mod beside;
mod broken;
mod engines;
mod files;
mod loader;
mod lost;
mod ours;
mod passwords;
mod roles;
mod servers;
mod settings;
mod strangers;
mod tls;
mod versions;
pub mod world;
