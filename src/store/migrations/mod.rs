//! Migrations of the schema. A released migration is never edited; changes are new files.

/// The migrations in their order. The version of a database is the number of applied migrations.
pub const ALL: &[&str] = &[
    include_str!("0001_records.sql"),
    include_str!("0002_moved_in.sql"),
    include_str!("0003_contents.sql"),
    include_str!("0004_references.sql"),
    include_str!("0005_time_entries.sql"),
    include_str!("0006_totals.sql"),
    include_str!("0007_histories.sql"),
    include_str!("0008_sessions.sql"),
    include_str!("0009_oauth.sql"),
    include_str!("0010_order_of_permissions.sql"),
    include_str!("0011_changesets.sql"),
];
