//! Issues, their relations and journals, and the time spent on them.

pub mod hours;
pub mod issue;
pub mod relation;
pub mod time_entry;
