//! What copying a database needs: the list of tables, bulk inserts, suspended foreign keys, and the
//! last ids.

use super::program::FIND_PROGRAM;
use super::table::{ColumnType, ForeignKeys, Reference, SchemaObject, Table};
use super::{Connection, OpenError, StatementError, Value};

impl Connection {
    /// Returns the version of the schema; `None` when the database has no tables.
    pub fn schema_version(&self) -> Result<Option<i64>, OpenError> {
        match self {
            Connection::Sqlite(connection) => connection.schema_version(),
            Connection::Postgres(connection) => connection.schema_version(),
        }
    }

    /// Returns the error about a schema version that this program does not know, with the program that
    /// wrote it.
    pub fn unsupported_version(&self, version: i64, supported: i64) -> OpenError {
        let mut program = None;
        // An earlier schema may not have the table.
        let _ = self.for_each_row(FIND_PROGRAM, &[], &mut |row| {
            program = Some(row.next()?);
            Ok(())
        });
        OpenError::UnsupportedVersion {
            version,
            supported,
            program,
        }
    }

    /// Returns the tables of the migrations, sorted by name, without those of the engine itself.
    pub fn tables(&self) -> Result<Vec<Table>, StatementError> {
        let sql = match self {
            Connection::Sqlite(_) => {
                "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c \
                 WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'"
            }
            Connection::Postgres(_) => {
                "SELECT t.relname::text, c.attname::text FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid \
                 WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace AND c.attnum > 0 AND NOT c.attisdropped"
            }
        };
        let mut columns: Vec<(String, String)> = Vec::new();
        self.for_each_row(sql, &[], &mut |row| {
            columns.push((row.next()?, row.next()?));
            Ok(())
        })?;
        columns.sort_unstable();
        let is_engine_table = |name: &str| match self {
            Connection::Sqlite(_) => false,
            Connection::Postgres(_) => super::postgres::is_engine_table(name),
        };
        let mut tables: Vec<Table> = Vec::new();
        for (name, column) in columns
            .into_iter()
            .filter(|(name, _)| !is_engine_table(name))
        {
            match tables.last_mut().filter(|table| table.name == name) {
                Some(table) => table.columns.push(column),
                None => tables.push(Table {
                    name,
                    columns: vec![column],
                }),
            }
        }
        Ok(tables)
    }

    /// Exports the snapshot of the read transaction on a server, so that another session can read it,
    /// too; `None` for a file.
    pub fn export_snapshot(&self) -> Result<Option<String>, StatementError> {
        match self {
            Connection::Sqlite(_) => Ok(None),
            Connection::Postgres(connection) => connection.export_snapshot().map(Some),
        }
    }

    /// Returns the number of rows of a table.
    pub fn count_rows(&self, table: &Table) -> Result<u64, StatementError> {
        let mut count = 0i64;
        self.for_each_row(
            &format!(
                "SELECT COUNT(*) FROM \"{}\"",
                table.name.replace('"', "\"\"")
            ),
            &[],
            &mut |row| {
                count = row.next()?;
                Ok(())
            },
        )?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// Returns the names of the indexes.
    pub fn index_names(&self) -> Result<Vec<String>, StatementError> {
        let sql = match self {
            Connection::Sqlite(_) => "SELECT name FROM sqlite_schema WHERE type = 'index'",
            Connection::Postgres(_) => {
                "SELECT c.relname::text FROM pg_class c WHERE c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace"
            }
        };
        let mut names = Vec::new();
        self.for_each_row(sql, &[], &mut |row| {
            names.push(row.next()?);
            Ok(())
        })?;
        Ok(names)
    }

    /// Returns the names of the indexes of a SQLite schema, with their statements; nothing for a
    /// server.
    pub fn index_statements(&self) -> Result<Vec<(String, String)>, StatementError> {
        match self {
            Connection::Sqlite(connection) => connection.index_statements(),
            Connection::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Returns what a SQLite schema consists of; nothing for a server, whose extensions add to it.
    pub fn schema_objects(&self) -> Result<Vec<SchemaObject>, StatementError> {
        match self {
            Connection::Sqlite(connection) => connection.schema_objects(),
            Connection::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Returns the references of a SQLite schema; nothing for a server.
    pub fn references(&self) -> Result<Vec<Reference>, StatementError> {
        match self {
            Connection::Sqlite(connection) => connection.references(),
            Connection::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Returns the columns of a SQLite schema with their types; nothing for a server, which has no values
    /// of other types.
    pub fn column_types(&self) -> Result<Vec<ColumnType>, StatementError> {
        match self {
            Connection::Sqlite(connection) => connection.column_types(),
            Connection::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Returns the last id that the engine has generated for each table with generated ids.
    pub fn generated_ids(&self) -> Result<Vec<(String, i64)>, StatementError> {
        let sql = match self {
            Connection::Sqlite(_) => {
                "SELECT s.name, CASE typeof(s.seq) WHEN 'integer' THEN s.seq ELSE -1 END \
                 FROM sqlite_sequence s JOIN sqlite_schema t ON t.type = 'table' AND t.name = s.name"
            }
            Connection::Postgres(_) => {
                "SELECT t.relname::text, COALESCE(pg_sequence_last_value(s.oid::regclass), 0) FROM pg_class s \
                 JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'i' \
                 JOIN pg_class t ON t.oid = d.refobjid \
                 WHERE s.relkind = 'S' AND t.relnamespace = current_schema()::regnamespace"
            }
        };
        let mut last_ids: Vec<(String, i64)> = Vec::new();
        self.for_each_row(sql, &[], &mut |row| {
            last_ids.push((row.next()?, row.next()?));
            Ok(())
        })?;
        Ok(last_ids)
    }

    /// Returns the greatest id that each table with generated ids has ever had.
    pub fn last_ids(&self) -> Result<Vec<(String, i64)>, StatementError> {
        let mut last_ids = self.generated_ids()?;
        // A row may have been inserted with an id of its own.
        for (table, last) in &mut last_ids {
            self.for_each_row(&format!("SELECT MAX(id) FROM {table}"), &[], &mut |row| {
                *last = row.next::<Option<i64>>()?.unwrap_or(0).max(*last);
                Ok(())
            })?;
        }
        Ok(last_ids)
    }

    /// Makes the next generated id of this table greater than this one, even if no row has it.
    pub fn set_last_id(&self, table: &str, id: i64) -> Result<(), StatementError> {
        match self {
            Connection::Sqlite(connection) => connection.set_last_id(table, id),
            Connection::Postgres(connection) => connection.continue_ids_after(table, id),
        }
    }

    /// Disables the timeouts of this connection for statements and transactions, which protect a
    /// service.
    pub fn lift_time_limits(&self) -> Result<(), StatementError> {
        match self {
            Connection::Sqlite(_) => Ok(()),
            Connection::Postgres(connection) => connection.lift_time_limits(),
        }
    }

    /// Inserts rows with the columns of the table.
    pub fn insert_rows(&self, table: &Table, rows: &[Vec<Value>]) -> Result<(), StatementError> {
        match self {
            Connection::Sqlite(connection) => connection.insert_rows(table, rows),
            Connection::Postgres(connection) => connection.insert_rows(table, rows),
        }
    }

    /// Allows rows that reference missing ones, until the end of the transaction or
    /// [`Connection::restore_foreign_keys`].
    pub fn suspend_foreign_keys(&self) -> Result<ForeignKeys, StatementError> {
        match self {
            Connection::Sqlite(connection) => connection.suspend_foreign_keys(),
            Connection::Postgres(connection) => connection.suspend_foreign_keys(),
        }
    }

    /// Checks the foreign keys again. Fails with [`StatementError::Constraint`], at once or at the
    /// commit, when a row references a missing one.
    pub fn restore_foreign_keys(&self, keys: &ForeignKeys) -> Result<(), StatementError> {
        match self {
            // The commit checks them.
            Connection::Sqlite(_) => Ok(()),
            Connection::Postgres(connection) => connection.restore_foreign_keys(keys),
        }
    }

    /// Updates the statistics of the planner after a bulk insert, and empties the log of a file.
    pub fn finish_bulk(&self) -> Result<(), StatementError> {
        match self {
            Connection::Sqlite(connection) => connection.close_log(),
            Connection::Postgres(connection) => connection.analyze(),
        }
    }
}
