//! The history of the tables. A migration that has landed is never edited; a change is a new file.

/// The migrations in their order; the number of those applied is the version of a database.
pub const ALL: &[&str] = &[include_str!("0001_records.sql"), include_str!("0002_moved_in.sql")];
