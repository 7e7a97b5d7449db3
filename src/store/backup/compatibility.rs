//! Whether a backup can be restored by this program into a store.

use super::error::{BackupError, damaged};
use super::folder::BackupFolder;
use super::manifest::{self, Manifest};
use crate::{StoreLocation, migrations};
use std::path::Path;

/// Fails if the backup is of another store than its folder, or was made by a newer program.
pub fn check_versions(
    backup: &Path,
    manifest: &Manifest,
    folder: &BackupFolder,
) -> Result<(), BackupError> {
    if manifest.store_id != folder.store_id {
        return Err(damaged(
            &backup.join(manifest::MANIFEST),
            "it names another store than the folder",
        ));
    }
    let supported = migrations::supported_version();
    if manifest.schema > supported {
        return Err(BackupError::NewerSchema {
            backup: backup.display().to_string(),
            schema: manifest.schema,
            supported,
            program: manifest.program.clone(),
        });
    }
    Ok(())
}

/// Fails if the backup has no records for the engine of the store.
pub fn check_engine(manifest: &Manifest, location: &StoreLocation) -> Result<(), BackupError> {
    let has = |name| manifest.file(name).is_some();
    match &location.server {
        None if has(manifest::DATABASE) => Ok(()),
        Some(_) if has(manifest::DUMP) => Ok(()),
        None if has(manifest::DUMP) => Err(BackupError::OtherEngine(
            "this backup is of a PostgreSQL database: specify an empty one with --store",
        )),
        Some(_) if has(manifest::DATABASE) => Err(BackupError::OtherEngine(
            "this backup is of a SQLite store: restore it into a data folder without --store; `quarry store copy` moves it to PostgreSQL",
        )),
        _ => Err(BackupError::OtherEngine(
            "this backup has no records: restore the database in another way, and its files from the folder `files`",
        )),
    }
}
