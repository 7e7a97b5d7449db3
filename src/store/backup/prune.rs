//! Deletes old backups, and the contents of attachments that only they had.

use super::contents;
use super::error::{BackupError, damaged};
use super::folder::BackupFolder;
use super::manifest::Manifest;
use jiff::Timestamp;
use quarry_domain::administration::backup::KeepPolicy;
use std::path::{Path, PathBuf};

/// Deletes backups that the policy does not keep, never the one with the name `current`, and adds their names
/// to `deleted`. Returns the number and size of the contents that were deleted. Fails, when the backups are
/// deleted, if there are some that are not complete: they do not count, and are left to be looked at.
pub fn prune(
    folder: &BackupFolder,
    policy: Option<&KeepPolicy>,
    current: &str,
    now: Timestamp,
    deleted: &mut Vec<String>,
) -> Result<(u64, u64), BackupError> {
    let mut incomplete = None;
    if let Some(policy) = policy {
        let mut names = folder.names()?;
        names.retain(|(_, name)| {
            let backup = folder.path().join(name);
            let is_complete = is_complete(&backup);
            if !is_complete {
                incomplete = Some(backup);
            }
            is_complete
        });
        let times: Vec<_> = names.iter().map(|(time, _)| *time).collect();
        for ((_, name), is_kept) in names.into_iter().zip(policy.select(&times, now)) {
            if !is_kept && name != current {
                folder.delete(&name)?;
                deleted.push(name);
            }
        }
    }
    if let Some(backup) = incomplete {
        return Err(damaged(
            &backup,
            "the backup is not complete; it is left, with the files of all attachments, until its folder is deleted",
        ));
    }
    if deleted.is_empty() && !folder.has_leftovers {
        return Ok((0, 0));
    }
    let backups: Vec<PathBuf> = folder
        .names()?
        .into_iter()
        .map(|(_, name)| folder.path().join(name))
        .collect();
    contents::delete_unused(&folder.contents()?, &backups)
}

/// Whether the files of a backup have the sizes in its manifest.
fn is_complete(backup: &Path) -> bool {
    Manifest::load(backup).is_ok_and(|manifest| {
        manifest.files.iter().all(|(name, fingerprint)| {
            let file = std::fs::symlink_metadata(backup.join(name));
            file.is_ok_and(|file| file.is_file() && file.len() == fingerprint.size)
        })
    })
}
