//! Is this a Redmine, and one of a version that is understood?

use super::{Cell, Source, SourceError};

/// Tables that every Redmine has.
const TABLES: &[&str] = &["schema_migrations", "issues", "projects", "users", "trackers", "enumerations", "settings"];
/// The last step of the schema of 4.2.
const OLDEST: i64 = 20_200_826_153_402;
/// No step of the schema of 7.0 is later.
const NEWEST: i64 = 20_270_000_000_000;
/// Columns without which the rest makes no sense: a schema without them is of a version that is not known here.
const COLUMNS: &[(&str, &str)] =
    &[("issues", "tracker_id"), ("issues", "subject"), ("users", "hashed_password"), ("projects", "identifier")];

/// Fails with a sentence if it is not.
pub fn check(source: &mut Source) -> Result<(), SourceError> {
    if let Some(table) = TABLES.iter().find(|table| !source.has_table(table)) {
        return Err(SourceError::NotRedmine(source.name.clone(), format!("it has no table {table}")));
    }
    let steps = source.column("schema_migrations", "version")?;
    let number = |cell: &Cell| match cell {
        Cell::Int(number) => Some(*number),
        // Plug-ins write their name behind the number.
        Cell::Text(text) => text.parse().ok(),
        _ => None,
    };
    let last = steps.iter().filter_map(number).max().unwrap_or_default();
    if last < OLDEST {
        return Err(SourceError::TooOld(format!("the last step of its schema is {last}")));
    }
    if last >= NEWEST {
        return Err(SourceError::TooNew(format!("the last step of its schema is {last}")));
    }
    match COLUMNS.iter().find(|(table, column)| !source.has(table, column)) {
        Some((table, column)) => Err(SourceError::TooNew(format!("{table} has no column {column}"))),
        None => Ok(()),
    }
}
