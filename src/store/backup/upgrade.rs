//! A copy of a SQLite database before a newer program changes its schema.
//!
//! Migrations change nothing but the database: files, secret and configuration need no copy. A database
//! on a server is not copied; there, too, all migrations are one transaction.

use crate::data_folder::file_mode;
use crate::disk;
use crate::engine::{self, Connection, StatementError};
use crate::{StoreError, StoreLocation, migrations};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The folder of the copies in the data folder.
const FOLDER: &str = "before-upgrade";
/// The name of a copy that is not complete.
const INCOMPLETE: &str = "incomplete";
/// Maximum number of copies, of different schemas.
const MAX_COPIES: usize = 3;
/// Space in bytes that must be left for the migrations.
const MARGIN: u64 = 32 << 20;

/// Copies the database if it has the schema of an earlier version. Fails, before anything is changed,
/// when the disk has no room for the copy. Returns the copy.
pub fn copy_database(
    location: &StoreLocation,
    connection: &Connection,
) -> Result<Option<PathBuf>, StoreError> {
    if location.server.is_some() {
        return Ok(None);
    }
    let version = connection.schema_version()?.unwrap_or_default();
    if !(1..migrations::supported_version()).contains(&version) {
        return Ok(None);
    }
    let database = location.folder.join(crate::data_folder::location::FILE);
    let log = location
        .folder
        .join(format!("{}-wal", crate::data_folder::location::FILE));
    let needed = disk::file_size(&database) + disk::file_size(&log) + MARGIN;
    let no_room = |free| StoreError::NoRoomForUpgrade {
        folder: location.folder.display().to_string(),
        needed: needed >> 20,
        free,
    };
    if let Some(free) = disk::free_space(&location.folder)
        && free < needed
    {
        return Err(no_room(free >> 20));
    }
    let folder = location.folder.join(FOLDER);
    let incomplete = folder.join(INCOMPLETE);
    let path = folder.join(name(version));
    let copied = copy(&database, &folder, &incomplete, &path);
    if copied.is_err() {
        // The next start writes it again.
        let _ = std::fs::remove_file(&incomplete);
    }
    copied.map_err(|error| match error {
        StoreError::Statement(StatementError::Disk(_)) => no_room(0),
        StoreError::Folder(_, error) if disk::is_full(&error) => no_room(0),
        error => error,
    })?;
    delete_old(&folder)?;
    tracing::info!(path = %path.display(), "copied the database before its schema is changed");
    Ok(Some(path))
}

fn name(version: i64) -> String {
    format!("schema-{version}.sqlite3")
}

fn copy(database: &Path, folder: &Path, incomplete: &Path, path: &Path) -> Result<(), StoreError> {
    let error = |path: &Path| {
        let path = path.display().to_string();
        move |error: io::Error| StoreError::Folder(path, error)
    };
    file_mode::create_dir(folder).map_err(error(folder))?;
    match std::fs::remove_file(incomplete) {
        Err(problem) if problem.kind() != io::ErrorKind::NotFound => {
            return Err(error(incomplete)(problem));
        }
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(incomplete).map_err(error(incomplete))?;
    engine::copy_file(database, incomplete, &mut |_, _| true)?;
    let sync = |path: &Path| File::open(path).and_then(|file| file.sync_all());
    sync(incomplete).map_err(error(incomplete))?;
    std::fs::rename(incomplete, path).map_err(error(path))?;
    #[cfg(unix)]
    for folder in folder.ancestors().take(2) {
        sync(folder).map_err(error(folder))?;
    }
    Ok(())
}

/// Deletes all copies but those of the latest schemas.
fn delete_old(folder: &Path) -> Result<(), StoreError> {
    let error = |error| StoreError::Folder(folder.display().to_string(), error);
    let mut versions = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(error)? {
        let file = entry.map_err(error)?.file_name();
        let version = file.to_str().and_then(|file| {
            let version = file.strip_prefix("schema-")?.strip_suffix(".sqlite3")?;
            version.parse::<i64>().ok()
        });
        versions.extend(version);
    }
    versions.sort_unstable();
    for version in versions.iter().rev().skip(MAX_COPIES) {
        std::fs::remove_file(folder.join(name(*version))).map_err(error)?;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;
    use crate::Store;

    /// A store with the schema before the last migrations, as far as this module looks.
    fn older_store(folder: &Path, version: i64) {
        let database = StoreLocation::from(folder).database();
        let mut connection = Connection::open_writer(&database).unwrap();
        let count = usize::try_from(version).unwrap();
        connection.migrate(&migrations::ALL[..count], "").unwrap();
        connection
            .execute(
                "INSERT INTO epochs (first_change, token) VALUES (0, 'first')",
                &[],
            )
            .unwrap();
        crate::Secrets::create(folder).unwrap();
    }

    #[test]
    fn older_database_is_copied_before_it_is_migrated() {
        let folder = tempfile::tempdir().unwrap();
        older_store(folder.path(), 6);
        let refused = Store::open_secondary(folder.path());
        assert!(matches!(refused, Err(StoreError::OlderService(_))));
        Store::open(folder.path()).unwrap().close();
        let copy = folder.path().join("before-upgrade/schema-6.sqlite3");
        let copy = Connection::open_immutable(&copy).unwrap();
        assert_eq!(copy.schema_version().unwrap(), Some(6));
        assert_eq!(copy.integrity_problems().unwrap(), [""; 0]);
        Store::open(folder.path()).unwrap().close();
        Store::open_secondary(folder.path()).unwrap().close();
        let copies = std::fs::read_dir(folder.path().join("before-upgrade")).unwrap();
        assert_eq!(copies.count(), 1, "nothing is copied without a migration");
    }

    #[test]
    fn only_the_copies_of_the_latest_schemas_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        older_store(folder.path(), 10);
        let copies = folder.path().join("before-upgrade");
        std::fs::create_dir(&copies).unwrap();
        for name in [
            "schema-1.sqlite3",
            "schema-8.sqlite3",
            "schema-9.sqlite3",
            "notes",
            "incomplete",
        ] {
            std::fs::write(copies.join(name), "x").unwrap();
        }
        Store::open(folder.path()).unwrap().close();
        let mut names: Vec<_> = std::fs::read_dir(&copies)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let expected = [
            "notes",
            "schema-10.sqlite3",
            "schema-8.sqlite3",
            "schema-9.sqlite3",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn copy_is_not_made_if_it_was_switched_off_and_is_required_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        older_store(folder.path(), 6);
        // A file in place of the folder: the copy cannot be written.
        std::fs::write(folder.path().join("before-upgrade"), "x").unwrap();
        assert!(Store::open(folder.path()).is_err());
        let database = StoreLocation::from(folder.path()).database();
        let version = Connection::open_reader(&database).unwrap().schema_version();
        assert_eq!(version.unwrap(), Some(6));
        let location = StoreLocation {
            backs_up_before_upgrade: false,
            ..StoreLocation::from(folder.path())
        };
        Store::open(location).unwrap().close();
    }
}
