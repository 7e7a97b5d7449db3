//! One integration binary: its tree mirrors the URL space.

mod authentication;
mod formats;
mod issues;
mod projects;
mod search;
mod users;
mod visibility;
mod world;
