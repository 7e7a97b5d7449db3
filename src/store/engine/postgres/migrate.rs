//! The schema of the database.

use super::connection::Connection;
use super::translate::expand_migration;
use crate::engine::OpenError;
use crate::engine::program::FIND_PROGRAM;
use std::time::{Duration, Instant};

/// The advisory lock of the node that migrates. The key is "schema" in ASCII.
const MIGRATION_LOCK: i64 = 0x73_63_68_65_6d_61;
/// Maximum time of a statement of a migration.
const MAX_STATEMENT_TIME: Duration = Duration::from_secs(24 * 3600);
/// The tables and functions of the engine itself, created before the first migration.
pub(super) const ENGINE_SCHEMA: &str = include_str!("engine_schema.sql");

impl Connection {
    /// Applies the pending migrations and then `finish`, all in one transaction. Several nodes may start
    /// at the same time. Fails without a change when the database has more migrations than these, or
    /// tables but no migration.
    pub fn migrate(&mut self, migrations: &[&str], finish: &str) -> Result<(), OpenError> {
        self.set_deadline(Some(Instant::now() + MAX_STATEMENT_TIME));
        let outcome = self.migrate_to_last(migrations, finish);
        self.set_deadline(None);
        outcome
    }

    fn migrate_to_last(&self, migrations: &[&str], finish: &str) -> Result<(), OpenError> {
        let supported = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
        let version = self.begin_migration()?;
        if !(0..=supported).contains(&version) {
            let program = self.find_program();
            self.roll_back()?;
            return Err(OpenError::UnsupportedVersion {
                version,
                supported,
                program,
            });
        }
        if version == supported {
            self.roll_back()?;
            return Ok(());
        }
        let mut applied = version;
        let outcome = (1..)
            .zip(migrations)
            .filter(|(candidate, _)| *candidate > version)
            .try_for_each(|(next, migration)| {
                applied = next;
                self.execute_batch(&expand_migration(migration))
            })
            .and_then(|()| {
                self.execute_batch(&format!("UPDATE schema_version SET version = {supported}"))
            })
            .and_then(|()| self.execute_batch(finish))
            .and_then(|()| self.commit());
        if outcome.is_err() {
            // Ends the failed transaction.
            let _ = self.roll_back();
        }
        outcome.map_err(|problem| OpenError::Migration {
            version: applied,
            problem,
        })
    }

    /// Returns the version of the program that has migrated the database last, if it is stated.
    fn find_program(&self) -> Option<String> {
        let mut program = None;
        let found = self.for_each_row(FIND_PROGRAM, &[], &mut |row| {
            program = Some(row.next()?);
            Ok(())
        });
        found.ok().and(program)
    }

    /// Begins a transaction during which no other node migrates. Returns the version of the schema.
    fn begin_migration(&self) -> Result<i64, OpenError> {
        self.begin_write_without_timeout()?;
        self.execute_batch(&format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))?;
        match self.has_schema() {
            Ok(true) => {}
            Ok(false) => self.execute_batch(ENGINE_SCHEMA)?,
            Err(error) => {
                self.roll_back()?;
                return Err(error);
            }
        }
        let mut version = 0;
        self.for_each_row("SELECT version FROM schema_version", &[], &mut |row| {
            version = row.next()?;
            Ok(())
        })?;
        Ok(version)
    }

    /// Whether the database has the tables of a schema. Fails when it has other tables.
    pub(super) fn has_schema(&self) -> Result<bool, OpenError> {
        let tables = "SELECT COUNT(*), COUNT(*) FILTER (WHERE tablename = 'schema_version') FROM pg_tables \
                      WHERE schemaname = current_schema()";
        let mut counts = (0i64, 0i64);
        self.for_each_row(tables, &[], &mut |row| {
            counts = (row.next()?, row.next()?);
            Ok(())
        })?;
        match counts {
            (0, _) => Ok(false),
            (_, 0) => Err(OpenError::ForeignServer {
                database: self.name().to_owned(),
            }),
            _ => Ok(true),
        }
    }
}
