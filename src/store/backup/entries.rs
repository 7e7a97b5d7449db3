//! The names of the entries of a data folder.

use super::manifest;
use crate::data_folder::location::FILE;
use crate::data_folder::secrets;

/// The marker of a restore that was interrupted while it moved entries.
pub const MARKER: &str = "restore-incomplete";
/// The subfolder into which a backup is restored.
pub const RESTORING: &str = "restoring";
/// Prefix of the names of subfolders with data that were replaced.
pub const REPLACED_PREFIX: &str = "before-restore-";
/// Prefix of the names of subfolders in which `quarry doctor --fix` keeps what it has mended.
const DOCTOR_PREFIX: &str = "doctor-";
/// The write-ahead log, and its index.
pub const LOG: [&str; 2] = ["quarry.sqlite3-wal", "quarry.sqlite3-shm"];
/// The entries of a data folder that are data, the database last.
pub const DATA_ENTRIES: [&str; 9] = [
    "files",
    "index",
    "thumbnails",
    "loading",
    "reserve",
    "before-upgrade",
    LOG[1],
    LOG[0],
    FILE,
];
/// Further entries of a data folder, which are no data.
const OTHER_ENTRIES: [&str; 7] = [
    "acme",
    secrets::FILE,
    manifest::CONFIGURATION,
    manifest::OTHER_CONFIGURATION,
    "lost+found",
    RESTORING,
    MARKER,
];
/// The entries that are restored, the database last.
pub const RESTORED_ENTRIES: [&str; 6] = [
    "files",
    "index",
    secrets::FILE,
    manifest::CONFIGURATION,
    manifest::OTHER_CONFIGURATION,
    FILE,
];

/// Whether an entry of a data folder with this name is Quarry's own.
pub fn is_data_folder_entry(name: &str) -> bool {
    DATA_ENTRIES.contains(&name)
        || OTHER_ENTRIES.contains(&name)
        || name.starts_with(REPLACED_PREFIX)
        || name.starts_with(DOCTOR_PREFIX)
}
