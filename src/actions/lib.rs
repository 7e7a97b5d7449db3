//! The use cases. A use case checks permission and rules, writes the records, the journal and the
//! change record, in one transaction. API, pages, commands and tests call the same functions; the
//! importers write rows as they were, with their ids and times. Invariant: a failed action changes
//! nothing. May import: `domain`, `store`. Not `search`: actions only record changes for the
//! indexer.

mod administration;
pub mod custom_values;
mod error;
mod prelude;
mod resource;
mod user_rules;

pub mod account_approvals;
mod account_links;
pub mod account_warnings;
pub mod accounts;
pub mod activity;
pub mod address_changes;
pub mod attachments;
pub mod backups;
pub mod boards;
pub mod categories;
pub mod changesets;
pub mod custom_fields;
pub mod devices;
pub mod documents;
pub mod email_addresses;
pub mod enumerations;
pub mod files;
pub mod groups;
pub mod inbox;
pub mod incoming_mail;
pub mod install;
pub mod invitations;
pub mod issue_statuses;
pub mod issue_templates;
pub mod issues;
pub mod journals;
pub mod lost_passwords;
pub mod memberships;
pub mod mentions;
pub mod messages;
pub mod news;
pub mod notice_mails;
pub mod notices;
pub mod oauth;
pub mod outbox;
pub mod passwords;
pub mod project_activities;
pub mod projects;
pub mod queries;
pub mod reactions;
pub mod registration;
pub mod relations;
pub mod reminders;
pub mod reply_addresses;
pub mod repositories;
pub mod role_permissions;
pub mod roles;
pub mod saved_replies;
pub mod sessions;
pub mod settings;
pub mod setup;
pub mod sign_in;
pub mod time_entries;
pub mod trackers;
pub mod two_factor;
pub mod unsubscribe;
pub mod users;
pub mod versions;
pub mod watchers;
pub mod wiki;
pub mod workflow_edits;
pub mod workflows;

pub use error::{ActionError, OUTDATED};
pub use resource::Resource;
