//! The folder of backups.
//!
//! | entry | content |
//! |---|---|
//! | `quarry-backups` | marks the folder, and names the store |
//! | `lock` | locked while a backup is written, read or deleted |
//! | `files/` | contents of attachments, named by SHA-256, which all backups share |
//! | `2026-11-27T030000Z/` | a backup, complete as soon as it has this name |
//! | `incomplete/` | files that are being written or deleted; the next backup removes leftovers |

use super::error::{BackupError, damaged, file_error};
use super::files;
use crate::data_folder::file_mode;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quarry_domain::values::stable_sort::StableSort;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file that marks the folder.
const MARKER: &str = "quarry-backups";
/// Name of the marker while it is written.
const INCOMPLETE_MARKER: &str = ".quarry-backups";
/// The file that is locked.
const LOCK: &str = "lock";
/// The folder for what is not complete.
const INCOMPLETE: &str = "incomplete";
/// The folder of the contents.
const CONTENTS: &str = "files";
/// First line of the marker.
const HEADER: &str = "Quarry backups, format 1";
/// Maximum size of the marker in bytes.
const MAX_MARKER: u64 = 1024;
/// The format of names.
const NAME_FORMAT: &str = "%Y-%m-%dT%H%M%SZ";
/// Maximum number of backups with the same second in their names.
const MAX_PER_SECOND: u32 = 1000;

/// The folder of backups, locked until this is dropped.
pub struct BackupFolder {
    path: PathBuf,
    /// The id of the store.
    pub store_id: String,
    /// Whether a backup was interrupted, or is being deleted.
    pub has_leftovers: bool,
    _lock: Option<File>,
}

impl BackupFolder {
    /// Opens the folder to write backups of this store, and creates it if it is missing.
    pub fn open_writer(path: &Path, store_id: &str) -> Result<BackupFolder, BackupError> {
        file_mode::create_dir(path).map_err(file_error(path))?;
        let name = || path.display().to_string();
        let entries = files::names(path)?;
        if !entries.iter().any(|entry| entry == MARKER)
            && let Some(entry) = entries.into_iter().find(|entry| !is_negligible(entry))
        {
            return Err(BackupError::Foreign {
                folder: name(),
                entry,
            });
        }
        let lock_path = path.join(LOCK);
        let lock = files::open_lock(&lock_path).map_err(file_error(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BackupError::InUse(name())),
            Err(TryLockError::Error(error)) => return Err(file_error(&lock_path)(error)),
        }
        match find_marker(path)? {
            Some(marked) if marked == store_id => {}
            Some(_) => return Err(BackupError::OtherStore(name())),
            None => mark(path, store_id)?,
        }
        let mut folder = BackupFolder {
            path: path.to_owned(),
            store_id: store_id.to_owned(),
            has_leftovers: false,
            _lock: Some(lock),
        };
        folder.has_leftovers = files::remove(&folder.incomplete())?;
        Ok(folder)
    }

    /// Opens the folder to read backups. No other process deletes any meanwhile.
    pub fn open_reader(path: &Path) -> Result<BackupFolder, BackupError> {
        let name = || path.display().to_string();
        if !path.is_dir() {
            return Err(BackupError::NoBackups(name()));
        }
        let lock_path = path.join(LOCK);
        // A copy of the folder, or one that cannot be written to, may have no lock.
        let lock = match files::open_regular(&lock_path) {
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::NotFound | ErrorKind::PermissionDenied
                ) =>
            {
                None
            }
            lock => Some(lock.map_err(file_error(&lock_path))?),
        };
        if let Some(lock) = &lock
            && matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock))
        {
            return Err(BackupError::InUse(name()));
        }
        let store_id = find_marker(path)?.ok_or_else(|| BackupError::NoBackups(name()))?;
        Ok(BackupFolder {
            path: path.to_owned(),
            store_id,
            has_leftovers: false,
            _lock: lock,
        })
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder of the contents, which may be missing. Fails if it is a link or a file.
    pub fn contents(&self) -> Result<PathBuf, BackupError> {
        let path = self.path.join(CONTENTS);
        if files::exists(&path) && !files::is_folder(&path) {
            return Err(damaged(&path, "it is not a folder"));
        }
        Ok(path)
    }

    /// Returns the folder for what is not complete.
    pub fn incomplete(&self) -> PathBuf {
        self.path.join(INCOMPLETE)
    }

    /// Returns the folder of a backup. Fails if there is none with this name.
    pub fn backup(&self, name: &str) -> Result<PathBuf, BackupError> {
        let path = self.path.join(name);
        if parse_name(name).is_none() || !files::is_folder(&path) {
            return Err(BackupError::NoBackup {
                folder: self.path.display().to_string(),
                name: name.to_owned(),
            });
        }
        Ok(path)
    }

    /// Returns the names of the backups with their times, the oldest first.
    pub fn names(&self) -> Result<Vec<(Timestamp, String)>, BackupError> {
        let mut names: Vec<(Timestamp, String)> = files::names(&self.path)?
            .into_iter()
            .filter_map(|name| Some((parse_name(&name)?, name)))
            .filter(|(_, name)| self.backup(name).is_ok())
            .collect();
        names.stable_sort_by(|a, b| a.0.cmp(&b.0).then_with(|| number(&a.1).cmp(&number(&b.1))));
        Ok(names)
    }

    /// Returns the name of the latest backup. Fails if there is none.
    pub fn latest(&self) -> Result<String, BackupError> {
        let last = self.names()?.pop();
        last.map(|(_, name)| name)
            .ok_or_else(|| BackupError::NoBackups(self.path.display().to_string()))
    }

    /// Returns an unused name for a backup of this time, one after those of the same second.
    ///
    /// The number of a backup that was deleted is not used again while a later one of the same second
    /// exists: the new backup would count as the older of the two.
    pub fn free_name(&self, time: Timestamp) -> Result<String, BackupError> {
        let name = time
            .to_zoned(TimeZone::UTC)
            .strftime(NAME_FORMAT)
            .to_string();
        let last_number = files::names(&self.path)?
            .iter()
            .filter(|entry| entry.starts_with(&name) && parse_name(entry).is_some())
            .map(|entry| number(entry))
            .max();
        match last_number {
            None => Ok(name),
            Some(last) if last < MAX_PER_SECOND => Ok(format!("{name}-{}", last + 1)),
            Some(_) => Err(BackupError::InUse(self.path.display().to_string())),
        }
    }

    /// Deletes a backup. If this is interrupted, the backup is either complete or gone.
    pub fn delete(&self, name: &str) -> Result<(), BackupError> {
        let incomplete = self.incomplete();
        files::remove(&incomplete)?;
        files::rename(&self.backup(name)?, &incomplete)?;
        files::remove(&incomplete).map(drop)
    }
}

/// Whether this entry is ignored when the folder is checked to be new.
fn is_negligible(entry: &str) -> bool {
    entry.starts_with('.') || [LOCK, "lost+found"].contains(&entry)
}

/// Returns the time in the name of a backup.
fn parse_name(name: &str) -> Option<Timestamp> {
    let (time, number) = match name.split_once("Z-") {
        Some((time, number)) => (format!("{time}Z"), Some(number)),
        None => (name.to_owned(), None),
    };
    let is_number =
        |number: &str| (1..4).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    let parsed = jiff::civil::DateTime::strptime(NAME_FORMAT, &time).ok()?;
    let parsed = parsed.to_zoned(TimeZone::UTC).ok()?;
    // Only the canonical form of the time.
    (number.is_none_or(is_number) && parsed.strftime(NAME_FORMAT).to_string() == time)
        .then(|| parsed.timestamp())
}

/// Returns the number of a backup among those of the same second.
fn number(name: &str) -> u32 {
    let number = name
        .split_once("Z-")
        .and_then(|(_, number)| number.parse().ok());
    number.unwrap_or(1)
}

/// Returns the id of the store in the marker; `None` if there is no marker.
fn find_marker(folder: &Path) -> Result<Option<String>, BackupError> {
    let path = folder.join(MARKER);
    let bytes = match files::read(&path, MAX_MARKER) {
        Err(BackupError::File(_, error)) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(None);
        }
        bytes => bytes?,
    };
    let text = String::from_utf8(bytes).map_err(|_| damaged(&path, "it is not a text"))?;
    let (header, rest) = text.split_once('\n').unwrap_or((&text, ""));
    if header != HEADER {
        return Err(if header.starts_with("Quarry backups, format ") {
            BackupError::NewerFormat(folder.display().to_string())
        } else {
            damaged(&path, "it does not mark a folder of backups")
        });
    }
    rest.strip_prefix("store ")
        .and_then(|rest| rest.strip_suffix('\n'))
        .filter(|id| id.len() == 32 && id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')))
        .map(|id| Some(id.to_owned()))
        .ok_or_else(|| damaged(&path, "it names no store"))
}

fn mark(folder: &Path, store_id: &str) -> Result<(), BackupError> {
    let incomplete = folder.join(INCOMPLETE_MARKER);
    files::remove(&incomplete)?;
    let text = format!("{HEADER}\nstore {store_id}\n");
    files::write_private(&incomplete, text.as_bytes())?;
    files::rename(&incomplete, &folder.join(MARKER))?;
    // The parent may not be readable.
    let _ = folder.parent().map(files::sync);
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    const STORE: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn names_are_times_and_lead_nowhere_else() {
        for name in [
            "..",
            ".",
            "",
            "/etc",
            "2026-11-27T030000Z/..",
            "2026-11-27T030000Z-",
            "files",
            "2026-11-27T030000Z-x",
            "2026-13-27T030000Z",
            "26-11-27T030000Z",
            "2026-11-27T030000Z ",
            "2026-11-27T030000Z-2-3",
            "2026-11-27t030000Z",
            "2026-11-27T030000Z-1000",
        ] {
            assert!(parse_name(name).is_none(), "{name}");
        }
        assert_eq!(
            parse_name("2026-11-27T030000Z-2").unwrap().to_string(),
            "2026-11-27T03:00:00Z"
        );
    }

    #[test]
    fn folder_belongs_to_one_store_and_to_one_writer_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        assert!(BackupFolder::open_reader(&path).is_err());
        let writer = BackupFolder::open_writer(&path, STORE).unwrap();
        assert!(matches!(
            BackupFolder::open_writer(&path, STORE),
            Err(BackupError::InUse(_))
        ));
        assert!(matches!(
            BackupFolder::open_reader(&path),
            Err(BackupError::InUse(_))
        ));
        drop(writer);
        let readers = [0, 1].map(|_| BackupFolder::open_reader(&path).unwrap());
        assert!(matches!(
            BackupFolder::open_writer(&path, STORE),
            Err(BackupError::InUse(_))
        ));
        drop(readers);
        let other = STORE.replace('0', "f");
        assert!(matches!(
            BackupFolder::open_writer(&path, &other),
            Err(BackupError::OtherStore(_))
        ));
    }

    #[test]
    fn folder_of_something_else_is_refused_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["incomplete", "files", "thesis.tex"] {
            let path = folder.path().join(name);
            std::fs::write(&path, "x").unwrap();
            let refused = BackupFolder::open_writer(folder.path(), STORE);
            assert!(matches!(refused, Err(BackupError::Foreign { .. })));
            assert_eq!(files::names(folder.path()).unwrap(), [name]);
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn backups_are_sorted_by_time_and_number() {
        let folder = tempfile::tempdir().unwrap();
        let writer = BackupFolder::open_writer(folder.path(), STORE).unwrap();
        let time: Timestamp = "2026-11-27T03:00:00Z".parse().unwrap();
        for _ in 0..12 {
            std::fs::create_dir(folder.path().join(writer.free_name(time).unwrap())).unwrap();
        }
        std::fs::create_dir(folder.path().join("2025-11-27T030000Z")).unwrap();
        std::fs::write(folder.path().join("2027-11-27T030000Z"), "no folder").unwrap();
        let names: Vec<String> = writer
            .names()
            .unwrap()
            .into_iter()
            .map(|(_, n)| n)
            .collect();
        assert_eq!(names.len(), 13);
        assert_eq!(names[..2], ["2025-11-27T030000Z", "2026-11-27T030000Z"]);
        assert_eq!(writer.latest().unwrap(), "2026-11-27T030000Z-12");
        writer.delete(&names[1]).unwrap();
        assert!(writer.backup(&names[1]).is_err() && writer.names().unwrap().len() == 12);
        // The latest backup stays the latest, also if others of its second were deleted.
        assert_eq!(writer.free_name(time).unwrap(), "2026-11-27T030000Z-13");
    }
}
