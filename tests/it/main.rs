//! One integration binary: its tree mirrors the URL space.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the message")]

mod attachments;
mod authentication;
mod cli;
mod crash;
mod damage;
mod formats;
mod headers;
mod import;
mod issue_categories;
mod issues;
mod journals;
mod limits;
mod lists;
mod oauth;
mod projects;
mod relations;
mod robust;
mod search;
mod shortage;
mod sizes;
mod time_entries;
mod tour;
mod transcripts;
mod uploads;
mod users;
mod visibility;
mod waiting;
mod watchers;
mod wiki;
mod world;
