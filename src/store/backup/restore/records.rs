//! Restores the records: a SQLite file, or a dump into the database of a server.

use super::RestoredBackup;
use crate::backup::error::BackupError;
use crate::backup::verify::{count_problems, record_problems};
use crate::backup::{additions, dump, files, manifest};
use crate::copy::Progress;
use crate::engine::{Connection, Server};
use std::path::Path;

impl RestoredBackup {
    pub(super) fn restore_records(
        &mut self,
        backup: &Path,
        progress: &mut dyn Progress,
    ) -> Result<(), BackupError> {
        let problems = match self.location.server.clone() {
            None => {
                let path = self.copy_file(backup, manifest::DATABASE, progress)?;
                let original = backup.join(manifest::DATABASE);
                let additions = additions::leave_out(&path, self.manifest.schema, &original)?;
                let tables = &mut self.manifest.tables;
                tables.retain(|name, _| !additions.tables.contains(name));
                self.left_out = additions.describe();
                record_problems(&path, &self.manifest)?
            }
            Some(server) => self.restore_on_server(&server, backup, progress)?,
        };
        match problems.first() {
            None => Ok(()),
            Some(problem) => Err(BackupError::Verification(format!(
                "the records of the backup are damaged: {problem}"
            ))),
        }
    }

    fn restore_on_server(
        &self,
        server: &Server,
        backup: &Path,
        progress: &mut dyn Progress,
    ) -> Result<Vec<String>, BackupError> {
        let database = self.location.database();
        if Connection::open_reader(&database)?
            .schema_version()?
            .is_some()
        {
            return Err(BackupError::NotEmptyDatabase(server.name().to_owned()));
        }
        let path = self.copy_file(backup, manifest::DUMP, progress)?;
        dump::restore(server, &path, progress)?;
        files::remove(&path)?;
        let connection = Connection::open_reader(&database)?;
        connection.lift_time_limits()?;
        count_problems(&connection, &self.manifest)
    }
}
