//! The records of the service and their rules: visibility, permissions, workflow, validation.
//!
//! Invariant: everything here is pure. No I/O, no SQL, no HTTP; clock and randomness are
//! parameters. Imports no other module of this crate.

pub mod attachment;
pub mod audit;
pub mod catalogue;
pub mod clock;
pub mod commit_message;
pub mod custom_field;
pub mod document;
pub mod edit_distance;
pub mod gravatar;
pub mod guess_permit;
pub mod hours;
pub mod id_set;
pub mod ids;
pub mod issue;
pub mod kind;
pub mod membership;
pub mod module;
pub mod oauth;
pub mod password;
pub mod patch;
pub mod permission;
pub mod position;
pub mod preferences;
pub mod project;
pub mod query;
pub mod reactable;
pub mod relation;
pub mod role;
pub mod session;
pub mod setting;
pub mod text;
pub mod text_diff;
pub mod thumbnail;
pub mod time_entry;
pub mod time_zone;
pub mod trusted_proxies;
pub mod two_factor;
pub mod update_rules;
pub mod user;
pub mod user_format;
pub mod validation;
pub mod version;
pub mod viewer;
pub mod visibility;
pub mod visible;
pub mod watchable;
pub mod week_start;
pub mod wiki;
pub mod workdays;
pub mod workflow;
