//! The owner of restored files: that of the folder that they are in, so that a service which is not run by
//! root can use what root has restored.

use super::error::{BackupError, file_error};
use super::files;
use std::fs::symlink_metadata;
use std::os::unix::fs::{MetadataExt, lchown};
use std::path::Path;

/// Gives the entries of a folder that belong to the user `from` to the owner of the folder. Does nothing if
/// that is the same user, or if this process may not.
pub fn give_to_owner(folder: &Path, from: u32) -> Result<(), BackupError> {
    let owner = symlink_metadata(folder).map_err(file_error(folder))?;
    if owner.uid() == from {
        return Ok(());
    }
    for name in files::names(folder)? {
        give(&folder.join(name), from, (owner.uid(), owner.gid()))?;
    }
    Ok(())
}

fn give(path: &Path, from: u32, (uid, gid): (u32, u32)) -> Result<(), BackupError> {
    let entry = symlink_metadata(path).map_err(file_error(path))?;
    if entry.uid() != from {
        return Ok(());
    }
    match lchown(path, Some(uid), Some(gid)) {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => return Ok(()),
        outcome => outcome.map_err(file_error(path))?,
    }
    if entry.is_dir() {
        for name in files::names(path)? {
            give(&path.join(name), from, (uid, gid))?;
        }
    }
    Ok(())
}
