//! Where the contents of attachments are: files in a folder, named by their SHA-256, or pieces in
//! the database.
//!
//! A SQLite store has them in its data folder. A store on a server has them in the database, or in
//! a folder that its nodes share. A marker file with the id of the store detects the folder of
//! another store, and a folder that is not shared or not mounted.

use super::{pieces, stored_files};
use crate::data_folder::file_mode;
use crate::engine::{Connection, DatabaseLocation};
use crate::{Read, StoreError, StoreLocation, properties};
use quarry_domain::clock::{Entropy, SystemEntropy};
use std::io;
use std::path::{Path, PathBuf};

/// The file in a shared folder with the id of the store.
const MARKER: &str = "quarry-store-id";

/// Where the contents of attachments are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Files in this folder.
    Folder(PathBuf),
    /// Pieces in the database.
    Database,
}

impl Contents {
    /// Returns where the configuration says that the contents are, and marks a new shared folder.
    /// Fails when the shared folder is not that of the store, or, for a service, when the store has
    /// one that is not configured. Commands then fail when they insert a blob.
    pub fn open(
        location: &StoreLocation,
        connection: &Connection,
        is_service: bool,
    ) -> Result<Contents, StoreError> {
        if location.server.is_none() {
            return Ok(Contents::in_data_folder(&location.folder));
        }
        match &location.files {
            Some(folder) => {
                properties::write(connection, |connection| open_shared(connection, folder))?;
                Ok(Contents::Folder(folder.clone()))
            }
            None if is_service && is_in_folder(connection)? => Err(StoreError::NoFilesFolder),
            None => Ok(Contents::Database),
        }
    }

    /// Returns where a SQLite store with this data folder has its contents.
    pub fn in_data_folder(folder: &Path) -> Contents {
        Contents::Folder(stored_files::blob_folder(folder))
    }

    /// Whether the blob exists.
    pub fn contains(&self, db: &Read<'_>, sha256: &str) -> Result<bool, StoreError> {
        match self {
            Contents::Folder(folder) => Ok(stored_files::blob_path(folder, sha256).is_file()),
            Contents::Database => pieces::exists(db, sha256),
        }
    }
}

fn is_in_folder(connection: &Connection) -> Result<bool, StoreError> {
    let value = properties::find(connection, properties::FILES)?;
    Ok(value.as_deref() == Some(properties::FILES_IN_FOLDER))
}

/// Checks the marker of a shared folder. Marks the folder of a store that has no files yet.
fn open_shared(connection: &Connection, folder: &Path) -> Result<(), StoreError> {
    let unusable = |problem| StoreError::FilesFolder {
        folder: folder.display().to_string(),
        problem,
    };
    let id = properties::find(connection, properties::ID)?;
    let marked = marker(folder)?;
    if is_in_folder(connection)? {
        return match (marked, id) {
            (Some(marked), Some(id)) if marked == id => Ok(()),
            (Some(_), _) => Err(unusable("it has the files of another store")),
            (None, _) => Err(unusable(
                "it is not the folder with the files of this store; check that it is mounted, and that all nodes share it",
            )),
        };
    }
    if pieces::has_any(connection)? {
        return Err(unusable(
            "the files of this store are in its database; `quarry store copy` makes a copy that has them in a folder",
        ));
    }
    let id = match id {
        Some(id) => id,
        None => create_id(connection)?,
    };
    match marked {
        // An earlier attempt was interrupted after it had written the marker.
        Some(marked) if marked == id => {}
        Some(_) => return Err(unusable("it has the files of another store")),
        None => mark(folder, &id)?,
    }
    properties::set(connection, properties::FILES, properties::FILES_IN_FOLDER)?;
    Ok(())
}

/// Marks a shared folder as that of the store in this database, for files that are restored into it.
/// Fails if it is that of another store.
pub(crate) fn mark_shared(database: &DatabaseLocation, folder: &Path) -> Result<(), StoreError> {
    let connection = Connection::open_reader(database)?;
    let id = properties::find(&connection, properties::ID)?;
    match (marker(folder)?, id) {
        (None, Some(id)) => mark(folder, &id),
        (marked, id) if marked == id => Ok(()),
        _ => Err(StoreError::FilesFolder {
            folder: folder.display().to_string(),
            problem: "it has the files of another store",
        }),
    }
}

/// Gives the store a random id.
fn create_id(connection: &Connection) -> Result<String, StoreError> {
    let mut id = [0u8; 16];
    SystemEntropy.fill(&mut id);
    let id = hex::encode(id);
    properties::set(connection, properties::ID, &id)?;
    Ok(id)
}

fn marker(folder: &Path) -> Result<Option<String>, StoreError> {
    let path = folder.join(MARKER);
    match std::fs::read_to_string(&path) {
        Ok(id) => Ok(Some(id.trim().to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(stored_files::io_error(&path)(error)),
    }
}

fn mark(folder: &Path, id: &str) -> Result<(), StoreError> {
    let path = folder.join(MARKER);
    file_mode::create_dir(folder)
        .and_then(|()| std::fs::write(&path, format!("{id}\n")))
        .and_then(|()| std::fs::File::open(&path)?.sync_all())
        .map_err(stored_files::io_error(&path))
}
