//! Checks that the source is a Redmine of a supported version.

use super::database::Source;
use super::engine::Cell;
use super::error::SourceError;

/// Tables of every Redmine.
const TABLES: &[&str] = &[
    "schema_migrations",
    "issues",
    "projects",
    "users",
    "trackers",
    "enumerations",
    "settings",
];
/// Last migration of 4.2.
const MIN_MIGRATION: i64 = 20_200_826_153_402;
/// All migrations of 7.0 are below it.
const MIGRATION_LIMIT: i64 = 20_270_000_000_000;
/// Columns of every supported version.
const COLUMNS: &[(&str, &str)] = &[
    ("issues", "tracker_id"),
    ("issues", "subject"),
    ("users", "hashed_password"),
    ("projects", "identifier"),
];

/// Fails if the source is not a Redmine of a supported version.
pub fn check_schema(source: &mut Source) -> Result<(), SourceError> {
    if let Some(table) = TABLES.iter().find(|table| !source.has_table(table)) {
        return Err(SourceError::NotRedmine(
            source.name.clone(),
            format!("it has no table {table}"),
        ));
    }
    let migrations = source.column("schema_migrations", "version")?;
    let last = migrations
        .iter()
        .filter_map(migration_version)
        .max()
        .unwrap_or_default();
    if last < MIN_MIGRATION {
        return Err(SourceError::TooOld(format!("its last migration is {last}")));
    }
    if last >= MIGRATION_LIMIT {
        return Err(SourceError::TooNew(format!("its last migration is {last}")));
    }
    match COLUMNS
        .iter()
        .find(|(table, column)| !source.has_column(table, column))
    {
        Some((table, column)) => Err(SourceError::TooNew(format!(
            "{table} has no column {column}"
        ))),
        None => Ok(()),
    }
}

fn migration_version(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Int(number) => Some(*number),
        // Migrations of plug-ins have the name of the plug-in after the version.
        Cell::Text(text) => text.parse().ok(),
        _ => None,
    }
}
