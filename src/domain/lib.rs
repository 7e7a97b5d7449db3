//! The records of the service and their rules: visibility, permissions, workflow, validation.
//!
//! Invariant: everything here is pure. No I/O, no SQL, no HTTP; clock and randomness are
//! parameters. Imports no other module of this crate.

pub mod access;
pub mod accounts;
pub mod administration;
pub mod catalogue;
pub mod clock;
pub mod content;
pub mod ids;
pub mod index_feed;
pub mod issues;
pub mod notices;
pub mod projects;
pub mod query;
pub mod validation;
pub mod values;
