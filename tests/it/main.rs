//! One integration binary: its tree mirrors the URL space.

mod authentication;
mod cli;
mod formats;
mod issues;
mod projects;
mod search;
mod users;
mod world;
