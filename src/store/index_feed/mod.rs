//! Records as the search index and its results need them.

pub mod indexed_records;
pub mod search_records;
