//! What other programs have added to a SQLite database: tables, columns and indexes, which a restore
//! leaves out, and triggers and views, which it refuses, because they would run within the service.

use super::error::BackupError;
use crate::engine::{Connection, DatabaseLocation, SchemaObject};
use crate::{migrations, properties};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What was added to the schema of a database.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Additions {
    /// Names of tables.
    pub tables: Vec<String>,
    indexes: Vec<String>,
    /// Tables with their columns.
    columns: Vec<(String, String)>,
    /// Triggers and views, as text for users.
    code: Vec<String>,
}

impl Additions {
    /// Returns what can be left out, as text for users.
    pub fn describe(&self) -> Vec<String> {
        let tables = self.tables.iter().map(|name| format!("table {name}"));
        let indexes = self.indexes.iter().map(|name| format!("index {name}"));
        let columns = self.columns.iter();
        let columns = columns.map(|(table, column)| format!("column {table}.{column}"));
        tables.chain(columns).chain(indexes).collect()
    }
}

/// Removes what was added to the schema of this version from a copy of the database. Fails for triggers
/// and views; `original` is the database in the backup, for the message.
pub fn leave_out(copy: &Path, schema: i64, original: &Path) -> Result<Additions, BackupError> {
    let additions = find_additions(&Connection::open_immutable(copy)?, schema)?;
    if !additions.code.is_empty() {
        return Err(BackupError::ForeignCode {
            file: original.display().to_string(),
            names: additions.code.join(", "),
        });
    }
    if additions != Additions::default() {
        let connection = Connection::open_writer(&DatabaseLocation::File(copy.to_owned()))?;
        properties::write(&connection, |connection| drop_all(connection, &additions))?;
    }
    Ok(additions)
}

fn find_additions(connection: &Connection, schema: i64) -> Result<Additions, BackupError> {
    let memory = DatabaseLocation::File(PathBuf::from(":memory:"));
    let mut expected = Connection::open_writer(&memory)?;
    let count = usize::try_from(schema).unwrap_or_default();
    let known = migrations::ALL.get(..count).unwrap_or(migrations::ALL);
    expected.migrate(known, "")?;
    let known: BTreeSet<SchemaObject> = expected.schema_objects()?.into_iter().collect();
    let mut additions = Additions::default();
    for object in connection.schema_objects()? {
        if known.contains(&object) {
            continue;
        }
        let SchemaObject { kind, name } = object;
        match kind.as_str() {
            "table" => additions.tables.push(name),
            "index" => additions.indexes.push(name),
            _ => additions.code.push(format!("{kind} {name}")),
        }
    }
    let known_tables = expected.tables()?;
    for table in connection.tables()? {
        let Some(known) = known_tables.iter().find(|known| known.name == table.name) else {
            continue;
        };
        let added = table
            .columns
            .iter()
            .filter(|name| !known.columns.contains(name));
        let added = added.map(|column| (table.name.clone(), column.clone()));
        additions.columns.extend(added);
    }
    Ok(additions)
}

fn drop_all(connection: &Connection, additions: &Additions) -> Result<(), BackupError> {
    let drop = |what: &str, sql: &str| {
        let dropped = connection.execute(sql, &[]).map(|_| ());
        dropped.map_err(|error| {
            BackupError::Verification(format!(
                "the {what}, which Quarry does not know, cannot be left out: {error}"
            ))
        })
    };
    let keys = connection.suspend_foreign_keys()?;
    for name in &additions.indexes {
        // The index of a table that is dropped, too.
        drop(
            &format!("index {name}"),
            &format!("DROP INDEX IF EXISTS {}", quote(name)),
        )?;
    }
    for (table, column) in &additions.columns {
        drop(
            &format!("column {table}.{column}"),
            &format!("ALTER TABLE {} DROP COLUMN {}", quote(table), quote(column)),
        )?;
    }
    for name in &additions.tables {
        // A virtual table takes its own tables along.
        drop(
            &format!("table {name}"),
            &format!("DROP TABLE IF EXISTS {}", quote(name)),
        )?;
    }
    Ok(connection.restore_foreign_keys(&keys)?)
}

fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
