//! What copying a PostgreSQL database needs.

use super::connection::Connection;
use super::migrate::ENGINE_SCHEMA;
use crate::engine::table::{ForeignKeys, Table};
use crate::engine::{OpenError, StatementError, Value};
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

/// Maximum time of a statement that reads or writes a whole table.
const MAX_STATEMENT_TIME: Duration = Duration::from_secs(24 * 3600);

/// Whether this table is one of the engine itself, which is not copied.
pub fn is_engine_table(name: &str) -> bool {
    let created = ENGINE_SCHEMA
        .lines()
        .filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split([' ', '(']).next());
    created.into_iter().any(|table| table == name)
}

impl Connection {
    /// Returns the version of the schema; `None` when the database has no tables.
    pub fn schema_version(&self) -> Result<Option<i64>, OpenError> {
        if !self.has_schema()? {
            return Ok(None);
        }
        let mut version = 0;
        self.for_each_row("SELECT version FROM schema_version", &[], &mut |row| {
            version = row.next()?;
            Ok(())
        })?;
        Ok(Some(version))
    }

    /// Exports the snapshot of the read transaction, so that another session can read it, too.
    pub fn export_snapshot(&self) -> Result<String, StatementError> {
        let mut snapshot = String::new();
        self.for_each_row("SELECT pg_export_snapshot()", &[], &mut |row| {
            snapshot = row.next()?;
            Ok(())
        })?;
        Ok(snapshot)
    }

    /// Allows statements to take a day, and transactions to be idle.
    pub fn lift_time_limits(&self) -> Result<(), StatementError> {
        self.set_deadline(Instant::now().checked_add(MAX_STATEMENT_TIME));
        self.execute_batch("SET idle_in_transaction_session_timeout = 0")
    }

    /// Inserts rows with the columns of the table.
    pub fn insert_rows(&self, table: &Table, rows: &[Vec<Value>]) -> Result<(), StatementError> {
        let statement = self.prepare(&table.select())?;
        let types: Vec<Type> = statement
            .columns()
            .iter()
            .map(|column| column.type_().clone())
            .collect();
        let copy = format!(
            "COPY {} ({}) FROM STDIN BINARY",
            table.name,
            table.column_list()
        );
        let inserted = self.run_after_pending(async {
            let sink = self.client.copy_in(&copy).await?;
            let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
            for row in rows {
                writer.as_mut().write_raw(row.iter()).await?;
            }
            writer.finish().await
        })?;
        if inserted != rows.len() as u64 {
            return Err(StatementError::Engine(format!(
                "{inserted} of {} rows were inserted into {}",
                rows.len(),
                table.name
            )));
        }
        Ok(())
    }

    /// Drops the foreign keys. Unlike disabling them, this needs no superuser, only the owner of
    /// the tables.
    pub fn suspend_foreign_keys(&self) -> Result<ForeignKeys, StatementError> {
        let sql = "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint \
                   WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1, 2";
        let mut restore = Vec::new();
        let mut drop = String::new();
        self.for_each_row(sql, &[], &mut |row| {
            let table: String = row.next()?;
            let name: String = row.next()?;
            let definition: String = row.next()?;
            drop.push_str(&format!("ALTER TABLE {table} DROP CONSTRAINT {name};"));
            restore.push(format!(
                "ALTER TABLE {table} ADD CONSTRAINT {name} {definition}"
            ));
            Ok(())
        })?;
        self.execute_batch(&drop)?;
        Ok(ForeignKeys(restore))
    }

    /// Adds the foreign keys again, which checks all rows.
    pub fn restore_foreign_keys(&self, keys: &ForeignKeys) -> Result<(), StatementError> {
        keys.0.iter().try_for_each(|key| self.execute_batch(key))
    }

    /// Updates the statistics of the planner.
    pub fn analyze(&self) -> Result<(), StatementError> {
        self.execute_batch("ANALYZE")
    }
}

#[cfg(test)]
mod tests {
    use super::is_engine_table;

    #[test]
    fn tables_of_the_engine_are_those_that_it_creates() {
        assert!(is_engine_table("commits") && is_engine_table("schema_version"));
        assert!(!is_engine_table("issues"));
    }
}
