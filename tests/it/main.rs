//! One integration binary whose modules mirror the URL space.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the message"
)]

mod attachments;
mod audit;
mod authentication;
mod backup;
mod boards;
mod chromium;
mod cli;
mod clock_jumps;
mod crash;
mod custom_fields;
mod doctor;
mod documents;
mod email_addresses;
mod enumerations;
mod environment;
mod file_descriptors;
mod files;
mod formats;
mod full_disk;
mod fuzz;
mod groups;
mod headers;
mod import;
mod index_recovery;
mod issue_categories;
mod issue_statuses;
mod issues;
mod journals;
mod limits;
mod lists;
mod mail;
mod memberships;
mod messages;
mod monitoring;
mod my;
mod news;
mod notices;
mod oauth;
mod oauth_clients;
mod openapi;
mod packaging;
mod ports;
mod postgres;
mod projects;
mod python;
mod python_redmine;
mod queries;
mod reactions;
mod relations;
mod repositories;
mod revisions;
mod roles;
mod search;
mod settings;
mod size_limits;
mod time_entries;
mod tls;
mod trackers;
mod transcripts;
mod uploads;
mod users;
mod versions;
mod visibility;
mod wait;
mod watchers;
mod web;
mod wiki;
mod workflows;
mod world;
