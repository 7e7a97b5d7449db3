//! The history of the tables. A migration that has landed is never edited; a change is a new file.

/// The migrations in their order; the number of those applied is the version of a database.
pub const ALL: &[&str] = &[
    include_str!("0001_records.sql"),
    include_str!("0002_moved_in.sql"),
    include_str!("0003_contents.sql"),
    include_str!("0004_references.sql"),
    include_str!("0005_time_entries.sql"),
    include_str!("0006_totals.sql"),
    include_str!("0007_histories.sql"),
];
