//! Paths of blobs that are files, which are named by their SHA-256, and of temporary files.

use crate::StoreError;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Prefix of the names of temporary files; process id and a counter follow.
pub const TEMPORARY_PREFIX: &str = "arriving";
/// Age at which a temporary file that is no longer written to is deleted.
const TEMPORARY_MAX_AGE: Duration = Duration::from_secs(3600);

/// Returns the folder in the data folder for blobs and temporary files.
pub fn blob_folder(data: &Path) -> PathBuf {
    data.join("files")
}

/// Returns the path of a blob in the folder of the contents: in a subfolder named by its first two
/// digits.
pub fn blob_path(folder: &Path, sha256: &str) -> PathBuf {
    folder.join(sha256.get(..2).unwrap_or("00")).join(sha256)
}

/// Returns the error of an operation on this file or folder.
pub fn io_error(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.display().to_string();
    move |error| StoreError::Folder(path, error)
}

/// Returns the error of writing this file or folder.
pub fn write_error(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.display().to_string();
    move |error| StoreError::Unwritable(path, error)
}

/// Whether the name of a file is a SHA-256.
pub fn is_digest(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a temporary file is too old to be still written to.
pub fn is_expired(path: &Path, now: SystemTime) -> bool {
    let changed = std::fs::metadata(path).and_then(|metadata| metadata.modified());
    changed.is_ok_and(|changed| {
        now.duration_since(changed)
            .is_ok_and(|age| age > TEMPORARY_MAX_AGE)
    })
}

/// Returns the paths of the entries of a folder; none if it does not exist.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<_>>()
            .map_err(io_error(folder)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(io_error(folder)(error)),
    }
}
