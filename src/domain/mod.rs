//! What exists, and what is allowed?
//!
//! The nouns of the service and the rules about them: who may see what, who may change what, what a valid record is.
//! Invariant: everything here is pure. No I/O, no SQL, no HTTP; time and chance are handed in.
//! May import: nothing of ours.

pub mod attachment;
pub mod catalogue;
pub mod clock;
pub mod custom_field;
pub mod given;
pub mod hours;
pub mod id_set;
pub mod ids;
pub mod issue;
pub mod kind;
pub mod module;
pub mod nearest;
pub mod password;
pub mod permission;
pub mod project;
pub mod query;
pub mod relation;
pub mod role;
pub mod setting;
pub mod text;
pub mod time_entry;
pub mod trusted_proxies;
pub mod user;
pub mod validation;
pub mod version;
pub mod viewer;
pub mod visibility;
pub mod wiki;
pub mod workdays;
pub mod workflow;
