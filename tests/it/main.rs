//! One integration binary whose modules mirror the URL space.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "in a test a panic is the message")]

mod attachments;
mod authentication;
mod chromium;
mod cli;
mod crash;
mod file_descriptors;
mod formats;
mod fuzz;
mod groups;
mod headers;
mod import;
mod index_recovery;
mod issue_categories;
mod issues;
mod journals;
mod limits;
mod lists;
mod memberships;
mod my;
mod oauth;
mod projects;
mod python_redmine;
mod relations;
mod search;
mod size_limits;
mod time_entries;
mod transcripts;
mod uploads;
mod users;
mod visibility;
mod wait;
mod watchers;
mod web;
mod wiki;
mod world;
