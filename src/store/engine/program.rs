//! The version of the program that has applied the last migration.

/// Finds the version. An earlier schema may not have the table.
pub const FIND_PROGRAM: &str = "SELECT value FROM store_properties WHERE name = 'program'";
