//! Issues with their journals, relations, dates and time entries.

pub mod hours;
pub mod issue;
pub mod journal;
pub mod relation;
pub mod saved_reply;
pub mod schedule;
pub mod template;
pub mod time_entry;
pub mod timer;
