//! Copies a whole store: between SQLite and PostgreSQL, or within the same engine.
//!
//! Reads one snapshot of the source, so a service may keep running on it. The rows of the target
//! are written in one transaction, compared with those of the source, and committed at the end;
//! until then the target is marked as incomplete, which [`Store::open`](crate::Store::open)
//! refuses.

mod contents;
mod error;
mod progress;
mod rows;

pub use contents::CopiedFiles;
pub use error::CopyError;
pub use progress::Progress;

use crate::data_folder::folder_lock::FolderLock;
use crate::data_folder::secrets::Secrets;
use crate::data_folder::{file_mode, secrets};
use crate::engine::{Connection, Table};
use crate::files::contents::Contents;
use crate::index_feed::epochs;
use crate::{
    StoreError, StoreLocation, migrations,
    properties::{self, node_secret},
};
use contents::ContentCopier;
use error::folder_error;
use quarry_domain::clock::{SystemEntropy, fresh_key};
use rows::{Checksum, RowCopier};
use std::io::ErrorKind;
use std::path::Path;

/// Tables whose rows are not copied: the contents of attachments, which are copied separately
/// because they may be files on either side, and the properties of the store and its nodes.
const EXCLUDED_TABLES: [&str; 4] = ["blobs", "nodes", "secret_fingerprints", "store_properties"];
/// Tables that have rows as soon as a store is in use.
const USED_TABLES: [&str; 3] = ["roles", "users", "projects"];

/// What was copied.
#[derive(Debug, Default)]
pub struct CopyReport {
    /// The number of rows of each table, which are equal on both sides.
    pub tables: Vec<(String, u64)>,
    /// Number of texts with the character NUL, which PostgreSQL cannot store; replaced by U+FFFD.
    pub replaced_nuls: u64,
    /// The contents of attachments.
    pub files: CopiedFiles,
}

/// Copies the store at `from` to `to`, which must be empty, or the target of a copy that was
/// interrupted.
///
/// # Errors
/// When the source has no records or another version of the schema, the target is not empty, is in
/// use or has another secret, or either cannot be read or written. The target then stays
/// incomplete.
pub fn copy(
    from: &StoreLocation,
    to: &StoreLocation,
    progress: &mut dyn Progress,
) -> Result<CopyReport, CopyError> {
    let source = open_source(from)?;
    let source_contents = source_contents(from, &source)?;
    file_mode::create_dir(&to.folder).map_err(folder_error(&to.folder))?;
    let _lock = match to.server {
        Some(_) => None,
        None => Some(
            FolderLock::acquire(&to.folder)
                .map_err(folder_error(&to.folder))?
                .ok_or_else(|| CopyError::InUse(to.database().name()))?,
        ),
    };
    let (target, copy) = open_target(to)?;
    copy_secret(&from.folder, &to.folder)?;
    let contents = Contents::open(to, &target, true)?;
    source.begin_read()?;
    let report = properties::write(&target, |target| {
        // Another copy may have begun or finished since.
        if properties::find(target, properties::COPY)?.as_deref() != Some(copy.as_str()) {
            return Err(CopyError::InUse(to.database().name()));
        }
        node_secret::set(target, &Secrets::load(&to.folder)?)?;
        let mut report = CopyReport::default();
        let keys = target.suspend_foreign_keys()?;
        let checksums = copy_tables(&source, to, target, progress, &mut report)?;
        report.files = ContentCopier {
            source: &source,
            source_contents: &source_contents,
            target,
            target_contents: &contents,
        }
        .copy(progress)?;
        for (table, id) in source.last_ids()? {
            if id > 0 {
                target.set_last_id(&table, id)?;
            }
        }
        source.end_read()?;
        compare(target, &checksums, progress)?;
        target.restore_foreign_keys(&keys)?;
        epochs::start_copy(target)?;
        properties::delete(target, properties::COPY)?;
        Ok::<_, CopyError>(report)
    })?;
    target.finish_bulk()?;
    Ok(report)
}

/// What a database contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing, or a schema without records.
    Empty,
    /// A copy that was interrupted.
    Incomplete,
    /// Records.
    Filled,
}

/// Returns the state of a database, without creating anything. Fails when it cannot be read, has
/// tables of another program, or a schema that this program does not support.
pub fn state(location: &StoreLocation) -> Result<State, StoreError> {
    let database = location.database();
    if !database.exists() {
        return Ok(State::Empty);
    }
    state_of(&Connection::open_reader(&database)?)
}

fn state_of(connection: &Connection) -> Result<State, StoreError> {
    let Some(version) = connection.schema_version()? else {
        return Ok(State::Empty);
    };
    let supported = migrations::supported_version();
    if version > supported {
        return Err(connection.unsupported_version(version, supported).into());
    }
    if version == supported && properties::find(connection, properties::COPY)?.is_some() {
        return Ok(State::Incomplete);
    }
    // Before the first migration the tables do not exist yet.
    let tables = if version > 0 { &USED_TABLES[..] } else { &[] };
    let mut state = State::Empty;
    for table in tables {
        connection.for_each_row(&format!("SELECT id FROM {table} LIMIT 1"), &[], &mut |_| {
            state = State::Filled;
            Ok(())
        })?;
    }
    Ok(state)
}

fn open_source(location: &StoreLocation) -> Result<Connection, CopyError> {
    let database = location.database();
    if !database.exists() {
        return Err(CopyError::NoRecords(database.name()));
    }
    let source = Connection::open_reader(&database)?;
    source.lift_time_limits()?;
    let supported = migrations::supported_version();
    match source.schema_version()? {
        None => return Err(CopyError::NoRecords(database.name())),
        Some(version) if version > supported => {
            return Err(source.unsupported_version(version, supported).into());
        }
        Some(version) if version < supported => {
            return Err(CopyError::OldVersion(database.name()));
        }
        Some(_) => {}
    }
    if properties::find(&source, properties::COPY)?.is_some() {
        return Err(StoreError::IncompleteCopy(database.name()).into());
    }
    Ok(source)
}

/// Returns where the contents of the attachments of the source are.
pub(crate) fn source_contents(
    location: &StoreLocation,
    source: &Connection,
) -> Result<Contents, StoreError> {
    if location.server.is_none() {
        return Ok(Contents::in_data_folder(&location.folder));
    }
    let files = properties::find(source, properties::FILES)?;
    let is_in_folder = files.as_deref() == Some(properties::FILES_IN_FOLDER);
    match &location.files {
        Some(folder) if is_in_folder => Ok(Contents::Folder(folder.clone())),
        None if is_in_folder => Err(StoreError::NoFilesFolder),
        _ => Ok(Contents::Database),
    }
}

/// Opens the target, creates its schema, and marks it as incomplete. Returns the id of this copy,
/// which the mark has.
fn open_target(location: &StoreLocation) -> Result<(Connection, String), CopyError> {
    let database = location.database();
    let mut target = Connection::open_writer(&database)?;
    target.lift_time_limits()?;
    if state_of(&target)? == State::Filled {
        return Err(CopyError::NotEmpty(database.name()));
    }
    if location.server.is_none() {
        file_mode::restrict(&location.folder, |_| true);
    }
    target.migrate(migrations::ALL, &migrations::note_program())?;
    let copy = fresh_key(&SystemEntropy);
    properties::write(&target, |target| {
        // Another copy may have finished since.
        if state_of(target)? == State::Filled {
            return Err(CopyError::NotEmpty(database.name()));
        }
        Ok(properties::set(target, properties::COPY, &copy)?)
    })?;
    Ok((target, copy))
}

/// Copies the secret that the API keys are encrypted with, unless the target has the same one.
fn copy_secret(from: &Path, to: &Path) -> Result<(), CopyError> {
    let source = from.join(secrets::FILE);
    let target = to.join(secrets::FILE);
    let secret = match std::fs::read_to_string(&source) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(StoreError::NoSecret(source.display().to_string()).into());
        }
        outcome => outcome.map_err(folder_error(&source))?,
    };
    match std::fs::read_to_string(&target) {
        Ok(existing) if existing.trim() == secret.trim() => Ok(()),
        Ok(_) => Err(CopyError::OtherSecret(target.display().to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Ok(secrets::write_private(&target, secret.trim()).map_err(folder_error(&target))?)
        }
        Err(error) => Err(folder_error(&target)(error).into()),
    }
}

/// Copies the rows of all tables. Returns the tables with the checksums of their rows.
fn copy_tables(
    source: &Connection,
    to: &StoreLocation,
    target: &Connection,
    progress: &mut dyn Progress,
    report: &mut CopyReport,
) -> Result<Vec<(Table, Checksum)>, CopyError> {
    let tables = source.tables()?;
    if tables != target.tables()? {
        return Err(CopyError::SchemasDiffer);
    }
    let mut checksums = Vec::new();
    let copied: Vec<Table> = tables
        .into_iter()
        .filter(|table| !EXCLUDED_TABLES.contains(&table.name.as_str()))
        .collect();
    // All of them before the first row is copied: a deleted row deletes those of other tables that
    // belong to it.
    for table in &copied {
        target.execute(&format!("DELETE FROM {}", table.name), &[])?;
    }
    for table in copied {
        progress.start(&table.name, source.count_rows(&table)?);
        let mut copier = RowCopier::new(target, &table, to.server.is_some());
        copier.copy(source, progress)?;
        progress.finish();
        let checksum = copier.checksum;
        report.replaced_nuls += copier.replaced_nuls;
        report.tables.push((table.name.clone(), checksum.count));
        checksums.push((table, checksum));
    }
    Ok(checksums)
}

/// Compares the rows of the target with the checksums of the source.
fn compare(
    target: &Connection,
    checksums: &[(Table, Checksum)],
    progress: &mut dyn Progress,
) -> Result<(), CopyError> {
    let count: u64 = checksums.iter().map(|(_, checksum)| checksum.count).sum();
    progress.start("comparing", count);
    for (table, checksum) in checksums {
        if rows::checksum(target, table)? != *checksum {
            return Err(CopyError::RowsDiffer(table.name.clone()));
        }
        progress.advance(checksum.count);
    }
    progress.finish();
    Ok(())
}
