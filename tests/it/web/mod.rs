//! Pages, as a browser uses them.

mod access;
mod admin;
mod bookmarks;
pub mod browser;
pub mod complete_world;
mod frame;
mod groups;
mod guesses;
pub mod hostile;
mod issues;
mod members;
mod members_protection;
mod my;
mod my_page;
pub mod pages;
mod projects;
mod reactions;
mod read;
mod roles;
mod search;
mod session_api;
mod sessions;
mod static_files;
pub mod two_factor;
mod user_permissions;
mod users;
mod wiki;
