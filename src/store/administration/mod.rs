//! What administrators define: custom fields, enumerations, statuses, trackers, roles, the workflow
//! and settings.

pub mod audit_events;
pub mod custom_fields;
mod custom_value_events;
pub mod enumerations;
pub mod issue_statuses;
pub mod mailbox;
pub mod nodes;
pub mod outbox;
pub mod roles;
pub mod settings;
pub mod trackers;
pub mod workflow;
