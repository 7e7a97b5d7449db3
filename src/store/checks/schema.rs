//! The schema: its version, tables, columns and indexes.

use super::damage::Damage;
use super::repair::Repair;
use crate::engine::{Connection, DatabaseLocation, Table};
use crate::{StoreError, migrations};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// How the schema of a store compares with that of this program.
#[derive(Debug, PartialEq, Eq)]
pub enum SchemaState {
    /// There are no tables.
    Empty,
    /// A later version has written it.
    Newer { version: i64, supported: i64 },
    /// The service migrates it at its next start.
    Older { version: i64, supported: i64 },
    /// It has the version of this program, perhaps without some tables, columns or indexes, or
    /// with other ones.
    Current {
        missing_tables: Option<Damage>,
        missing_indexes: Option<Damage>,
        /// Triggers, views and tables of SQLite that this program has not created.
        unknown_objects: Option<Damage>,
    },
}

/// Returns an empty database in memory with the schema of this program.
pub(super) fn expected() -> Result<Connection, StoreError> {
    let memory = DatabaseLocation::File(PathBuf::from(":memory:"));
    let mut connection = Connection::open_writer(&memory)?;
    connection.migrate(migrations::ALL, &migrations::note_program())?;
    Ok(connection)
}

/// Compares the schemas.
pub(super) fn check(connection: &Connection) -> Result<SchemaState, StoreError> {
    let supported = i64::try_from(migrations::ALL.len()).unwrap_or(i64::MAX);
    match connection.schema_version()? {
        None => return Ok(SchemaState::Empty),
        Some(version) if version > supported => {
            return Ok(SchemaState::Newer { version, supported });
        }
        Some(version) if version < supported => {
            return Ok(SchemaState::Older { version, supported });
        }
        Some(_) => {}
    }
    let expected = expected()?;
    let existing = columns(connection.tables()?);
    let missing =
        columns(expected.tables()?)
            .into_iter()
            .flat_map(|(name, columns)| match existing.get(&name) {
                None => vec![format!("the table {name}")],
                Some(found) => columns
                    .difference(found)
                    .map(|column| format!("the column {name}.{column}"))
                    .collect(),
            });
    let missing_tables = Damage::from_examples(missing.collect(), None);
    let existing: BTreeSet<String> = connection.index_names()?.into_iter().collect();
    let indexes = expected.index_statements()?.into_iter();
    let (names, statements): (Vec<String>, Vec<String>) =
        indexes.filter(|(name, _)| !existing.contains(name)).unzip();
    let repair = missing_tables
        .is_none()
        .then_some(Repair::CreateIndexes(statements));
    let known: BTreeSet<_> = expected.schema_objects()?.into_iter().collect();
    let unknown = connection.schema_objects()?.into_iter();
    let unknown = unknown
        .filter(|object| object.kind != "index" && !known.contains(object))
        .map(|object| format!("the {} {}", object.kind, object.name));
    Ok(SchemaState::Current {
        unknown_objects: Damage::from_examples(unknown.collect(), None),
        missing_tables,
        missing_indexes: Damage::from_examples(names, repair),
    })
}

fn columns(tables: Vec<Table>) -> BTreeMap<String, BTreeSet<String>> {
    tables
        .into_iter()
        .map(|table| (table.name, table.columns.into_iter().collect()))
        .collect()
}
