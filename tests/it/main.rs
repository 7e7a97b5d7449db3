//! One integration binary: its tree mirrors the URL space.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the message")]

mod authentication;
mod cli;
mod crash;
mod formats;
mod import;
mod issues;
mod oauth;
mod projects;
mod robust;
mod search;
mod users;
mod visibility;
mod world;
