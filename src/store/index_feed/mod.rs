//! What the search index reads: the indexed records, the records of its hits, and the epoch by
//! which it recognizes its store. The changes that it follows are in `store::transaction::changes`.

pub mod epochs;
pub mod indexed_records;
pub mod search_records;
