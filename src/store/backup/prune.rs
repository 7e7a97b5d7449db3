//! Deletes old backups, and the contents of attachments that only they had.

use super::contents;
use super::error::BackupError;
use super::folder::BackupFolder;
use super::manifest::Manifest;
use jiff::Timestamp;
use quarry_domain::administration::backup::KeepPolicy;
use std::path::{Path, PathBuf};

/// Deletes backups that the policy does not keep, never the one with the name `current`. Returns their
/// names, and the number and size of the contents that were deleted. Backups that are not complete do not
/// count, and are left to be looked at.
pub fn prune(
    folder: &BackupFolder,
    policy: Option<&KeepPolicy>,
    current: &str,
    now: Timestamp,
) -> Result<(Vec<String>, (u64, u64)), BackupError> {
    let mut deleted = Vec::new();
    if let Some(policy) = policy {
        let mut names = folder.names()?;
        names.retain(|(_, name)| is_complete(&folder.path().join(name)));
        let times: Vec<_> = names.iter().map(|(time, _)| *time).collect();
        for ((_, name), is_kept) in names.into_iter().zip(policy.select(&times, now)) {
            if !is_kept && name != current {
                folder.delete(&name)?;
                deleted.push(name);
            }
        }
    }
    if deleted.is_empty() && !folder.has_leftovers {
        return Ok((deleted, (0, 0)));
    }
    let backups: Vec<PathBuf> = folder
        .names()?
        .into_iter()
        .map(|(_, name)| folder.path().join(name))
        .collect();
    let contents = contents::delete_unused(&folder.contents()?, &backups)?;
    Ok((deleted, contents))
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
