//! What the search index follows and reads: content types, changes, indexed records, and the
//! records of hits.

pub mod change;
pub mod indexed_record;
pub mod kind;
pub mod search_record;
