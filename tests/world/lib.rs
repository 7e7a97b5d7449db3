//! What the integration tests share: a service for one test ([`World`]), the program as a process,
//! and the worlds, browsers and servers that more than one of the test binaries needs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the message"
)]

pub mod attachments;
pub mod browser;
mod builders;
mod client;
mod clock;
pub mod cluster;
pub mod complete_world;
pub mod configuration;
pub mod connection;
pub mod daemons;
pub mod data_folder;
mod database;
pub mod environment;
pub mod html_lines;
pub mod oauth_flow;
pub mod openapi;
pub mod ports;
pub mod process;
pub mod process_usage;
pub mod python;
pub mod reactions;
pub mod redmine_import;
mod response;
pub mod search;
mod standby;
pub mod target_folder;
mod template;
pub mod wait;
mod world;

pub use builders::{IssueBuilder, ProjectBuilder, insert_category, insert_group, insert_version};
pub use client::{Client, JsonBody, RUNTIME};
pub use clock::WorldClock;
pub use database::{Column, Database, FromColumn, Row, quoted};
pub use response::Response;
pub use world::{DEVELOPER, Data, LOGINS, MANAGER, REPORTER, World, percent_encode, run_sql, user};
