//! The store that is backed up. It is only read, also with an older schema, so that a newer program
//! can back it up before migrating it.

use super::contents::Referenced;
use super::error::{BackupError, damaged};
use super::manifest::is_digest;
use crate::copy::source_contents;
use crate::engine::{Connection, DatabaseLocation, StatementError};
use crate::files::contents::Contents;
use crate::{StoreError, StoreLocation, migrations, properties};
use indexmap::IndexMap;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// A store that is backed up.
pub struct Source {
    /// Where its records are.
    pub database: DatabaseLocation,
    /// The version of its schema.
    pub schema: i64,
    /// The id of the store: a digest of the token of its first epoch, which stays secret.
    pub store_id: String,
    /// The folder with the contents of attachments; `None` if they are in the database.
    pub contents: Option<PathBuf>,
    connection: Connection,
}

impl Source {
    /// Opens the store. Fails when it has no records, or a schema that this program does not know.
    pub fn open(location: &StoreLocation) -> Result<Source, BackupError> {
        let database = location.database();
        let no_records = || BackupError::NoRecords(database.name());
        if !database.exists() {
            return Err(no_records());
        }
        let connection = Connection::open_reader(&database)?;
        connection.lift_time_limits()?;
        let schema = connection.schema_version()?.ok_or_else(no_records)?;
        let supported = migrations::supported_version();
        if schema > supported {
            return Err(connection.unsupported_version(schema, supported).into());
        }
        if schema == supported && properties::find(&connection, properties::COPY)?.is_some() {
            return Err(StoreError::IncompleteCopy(database.name()).into());
        }
        let store_id = store_id(&connection)?.ok_or_else(no_records)?;
        let contents = match source_contents(location, &connection)? {
            Contents::Folder(folder) => Some(folder),
            Contents::Database => None,
        };
        Ok(Source {
            database,
            schema,
            store_id,
            contents,
            connection,
        })
    }

    /// Returns the connection, which only reads.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Returns the contents that attachments reference now.
    pub fn referenced(&self) -> Result<Referenced, BackupError> {
        referenced(&self.connection, Path::new(&self.database.name()))
    }
}

/// Returns the id of a store; `None` if no service has ever run on it.
pub fn store_id(connection: &Connection) -> Result<Option<String>, StatementError> {
    let mut token: Option<String> = None;
    let sql = "SELECT token FROM epochs ORDER BY first_change LIMIT 1";
    connection.for_each_row(sql, &[], &mut |row| {
        token = Some(row.next()?);
        Ok(())
    })?;
    Ok(token.map(|token| {
        let digest = Sha256::digest(format!("backups of {token}"));
        hex::encode(&digest[..16])
    }))
}

/// Returns the contents that attachments reference. `path` is for messages.
pub fn referenced(connection: &Connection, path: &Path) -> Result<Referenced, BackupError> {
    let sql = "SELECT content_sha256, MAX(filesize) FROM attachments WHERE content_sha256 IS NOT NULL GROUP BY content_sha256";
    let mut referenced = Referenced::new();
    let mut is_valid = true;
    connection.for_each_row(sql, &[], &mut |row| {
        let sha256: String = row.next()?;
        is_valid &= is_digest(&sha256);
        let size = u64::try_from(row.next::<i64>()?).unwrap_or_default();
        referenced.insert(sha256, size);
        Ok(())
    })?;
    if is_valid {
        Ok(referenced)
    } else {
        // The digest becomes a part of a path.
        Err(damaged(path, "an attachment has an invalid digest"))
    }
}

/// Returns the number of rows of each table.
pub fn count_rows(connection: &Connection) -> Result<IndexMap<String, u64>, StatementError> {
    let mut counts = IndexMap::new();
    for table in connection.tables()? {
        let rows = connection.count_rows(&table)?;
        counts.insert(table.name, rows);
    }
    Ok(counts)
}
