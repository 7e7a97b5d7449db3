//! What copying a SQLite file needs.

use super::Connection;
use crate::engine::table::{ColumnType, ForeignKeys, Reference, SchemaObject, Table};
use crate::engine::{OpenError, StatementError, Value};

impl Connection {
    /// Returns the version of the schema; `None` when the file has no tables.
    pub fn schema_version(&self) -> Result<Option<i64>, OpenError> {
        let state = "SELECT (SELECT COUNT(*) FROM sqlite_schema), (SELECT user_version FROM pragma_user_version)";
        let mut version = None;
        self.for_each_row(state, &[], &mut |row| {
            version = match (row.next::<i64>()?, row.next::<i64>()?) {
                (0, 0) => None,
                (_, version) => Some(version),
            };
            Ok(())
        })
        .map_err(|problem| OpenError::Unusable {
            path: self.path().display().to_string(),
            problem: problem.to_string(),
        })?;
        if version == Some(0) {
            return Err(OpenError::Foreign {
                path: self.path().display().to_string(),
            });
        }
        Ok(version)
    }

    /// Returns the names of the indexes that migrations have created, with their statements.
    pub fn index_statements(&self) -> Result<Vec<(String, String)>, StatementError> {
        let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name";
        let mut indexes = Vec::new();
        self.for_each_row(sql, &[], &mut |row| {
            indexes.push((row.next()?, row.next()?));
            Ok(())
        })?;
        Ok(indexes)
    }

    /// Returns what the schema consists of, sorted by name, without what SQLite itself has created: tables and
    /// indexes, but no triggers and views, whatever they are called.
    pub fn schema_objects(&self) -> Result<Vec<SchemaObject>, StatementError> {
        let sql = "SELECT type, name FROM sqlite_schema \
                   WHERE type IN ('trigger', 'view') OR name NOT GLOB 'sqlite_*' ORDER BY name";
        let mut objects = Vec::new();
        self.for_each_row(sql, &[], &mut |row| {
            objects.push(SchemaObject {
                kind: row.next()?,
                name: row.next()?,
            });
            Ok(())
        })?;
        Ok(objects)
    }

    /// Returns the references of the schema.
    pub fn references(&self) -> Result<Vec<Reference>, StatementError> {
        let sql = "SELECT m.name, f.\"from\", f.\"table\", COALESCE(f.\"to\", 'id') FROM sqlite_schema m \
                   JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table' ORDER BY m.name, f.\"from\"";
        let mut references = Vec::new();
        self.for_each_row(sql, &[], &mut |row| {
            references.push(Reference {
                table: row.next()?,
                column: row.next()?,
                parent: row.next()?,
                key: row.next()?,
            });
            Ok(())
        })?;
        Ok(references)
    }

    /// Returns the columns of the tables that migrations have created, with their types.
    pub fn column_types(&self) -> Result<Vec<ColumnType>, StatementError> {
        let sql = "SELECT t.name, c.name, c.type, c.\"notnull\" OR c.pk > 0, c.pk FROM sqlite_schema t JOIN pragma_table_info(t.name) c \
                   WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY t.name, c.cid";
        let mut columns = Vec::new();
        self.for_each_row(sql, &[], &mut |row| {
            columns.push(ColumnType {
                table: row.next()?,
                column: row.next()?,
                declared: row.next()?,
                is_required: row.next()?,
                key_position: row.next()?,
            });
            Ok(())
        })?;
        Ok(columns)
    }

    /// Inserts rows with the columns of the table.
    pub fn insert_rows(&self, table: &Table, rows: &[Vec<Value>]) -> Result<(), StatementError> {
        let parameters: Vec<String> = (1..=table.columns.len()).map(|n| format!("?{n}")).collect();
        let sql = format!(
            "INSERT INTO {} ({}) VALUES ({})",
            table.name,
            table.column_list(),
            parameters.join(", ")
        );
        for row in rows {
            self.execute(&sql, row)?;
        }
        Ok(())
    }

    /// Defers the checks of foreign keys to the commit.
    pub fn suspend_foreign_keys(&self) -> Result<ForeignKeys, StatementError> {
        self.execute_batch("PRAGMA defer_foreign_keys = ON")?;
        Ok(ForeignKeys(Vec::new()))
    }

    /// Makes the next generated id of this table greater than this one.
    pub fn set_last_id(&self, table: &str, id: i64) -> Result<(), StatementError> {
        let values = [table.into(), id.into()];
        self.execute(
            "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)",
            &values,
        )?;
        self.execute(
            "UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1 AND (seq < ?2 OR typeof(seq) <> 'integer')",
            &values,
        )?;
        Ok(())
    }
}
