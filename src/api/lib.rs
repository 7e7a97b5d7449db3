//! The REST API: one file per resource, a folder where that would be long. `routes` is the route
//! table.
//!
//! Invariant: every route responds in JSON and in XML, except `/openapi`, which is always JSON. May
//! import everything above it in the table of modules; a resource imports only the `view` of
//! another one.

mod attachments;
mod boards;
mod custom_fields;
mod documents;
mod email_addresses;
mod enumerations;
mod files;
mod groups;
mod inbox;
mod issue_categories;
mod issue_statuses;
mod issues;
mod journals;
mod memberships;
mod messages;
mod my;
mod news;
mod openapi;
mod projects;
mod queries;
mod reactions;
mod relations;
mod repositories;
mod revisions;
mod roles;
mod routes;
mod search;
mod search_completions;
mod settings;
mod time_entries;
mod trackers;
mod uploads;
mod user_permissions;
mod users;
mod versions;
mod watchers;
mod wiki;
mod workflows;

pub use routes::routes;
