//! The REST API: one module for each part of the URL space.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the message"
)]

mod attachments;
mod authentication;
mod boards;
mod custom_fields;
mod documents;
mod email_addresses;
mod enumerations;
mod files;
mod formats;
mod groups;
mod headers;
mod issue_categories;
mod issue_statuses;
mod issues;
mod journals;
mod line_breaks;
mod lists;
mod memberships;
mod messages;
mod my;
mod news;
mod oauth;
mod projects;
mod queries;
mod reactions;
mod redmine_requests;
mod relations;
mod repositories;
mod revisions;
mod roles;
mod search;
mod settings;
mod size_limits;
mod slashes;
mod time_entries;
mod trackers;
mod unusable_filters;
mod uploads;
mod users;
mod versions;
mod watchers;
mod wiki;
mod workflows;
