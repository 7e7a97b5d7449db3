//! The data folder that a backup is restored into.

use super::entries::{DATA_ENTRIES, LOG, RESTORED_ENTRIES, is_data_folder_entry};
use super::error::BackupError;
use super::swap::Swap;
use super::{MAX_ENCRYPTED, files, manifest};
use crate::data_folder::location::FILE;
use crate::data_folder::secrets;
use crate::engine;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the log of the former database is waited for while a command uses it.
const LOG_TIMEOUT: Duration = Duration::from_secs(2);

/// The former entries of the folder that were replaced or kept.
#[derive(Debug, Default)]
pub struct PublishReport {
    /// The subfolder with the data that were replaced.
    pub replaced: Option<PathBuf>,
    /// Files that were there already and differ from those of the backup. They were not replaced.
    pub kept: Vec<&'static str>,
}

/// Whether a folder has data. Fails if it has entries that are not of a data folder.
pub fn has_data(folder: &Path) -> Result<bool, BackupError> {
    let mut has_data = false;
    for entry in files::names(folder)? {
        if DATA_ENTRIES.contains(&entry.as_str()) {
            has_data = true;
        } else if !entry.starts_with('.') && !is_data_folder_entry(&entry) {
            return Err(BackupError::ForeignTarget {
                folder: folder.display().to_string(),
                entry,
            });
        }
    }
    Ok(has_data)
}

/// Moves the restored data into the data folder `target`, which must be locked. Former entries that are
/// replaced are moved to the subfolder `aside` before; if it is `None`, nothing is replaced.
pub fn publish(
    staging: &Path,
    target: &Path,
    aside: Option<String>,
    with_index: bool,
) -> Result<PublishReport, BackupError> {
    let log = staging.join(LOG[0]);
    if log.metadata().is_ok_and(|file| file.len() > 0) {
        return Err(BackupError::Verification(format!(
            "{} is not empty",
            log.display()
        )));
    }
    for name in LOG {
        files::remove(&staging.join(name))?;
    }
    let mut swap = Swap::default();
    if aside.is_some() {
        empty_former_log(target)?;
        swap.former = former_entries(staging, target)?;
        swap.aside = aside.filter(|_| !swap.former.is_empty());
    }
    let mut report = PublishReport {
        replaced: swap.aside.as_ref().map(|name| target.join(name)),
        kept: Vec::new(),
    };
    for name in RESTORED_ENTRIES {
        let from = staging.join(name);
        let to = target.join(name);
        if !files::exists(&from) || (name == "index" && !with_index) {
            continue;
        }
        if !files::exists(&to) || swap.former.iter().any(|former| former == name) {
            files::sync(&from)?;
            swap.restored.push(name.to_owned());
        } else if name != secrets::FILE && !has_same_bytes(&from, &to) {
            report.kept.push(name);
        }
    }
    swap.run(target, &mut files::rename)?;
    files::remove(staging)?;
    files::sync(target)?;
    Ok(report)
}

/// Moves what is in the write-ahead log of the former database into its file, so that the file alone has
/// all records. A damaged database keeps its log, which is moved with it.
fn empty_former_log(target: &Path) -> Result<(), BackupError> {
    let is_file = |name: &str| {
        std::fs::symlink_metadata(target.join(name)).is_ok_and(|metadata| metadata.is_file())
    };
    if !is_file(FILE) || !is_file(LOG[0]) {
        return Ok(());
    }
    match engine::empty_log(&target.join(FILE), LOG_TIMEOUT) {
        // The last connection deletes the log; it is left while a command has the file open.
        Ok(true) if !files::exists(&target.join(LOG[0])) => Ok(()),
        Ok(_) => Err(BackupError::TargetInUse(target.display().to_string())),
        Err(error) => {
            tracing::warn!(error = %error, "the log of the former database cannot be emptied; it is moved with it");
            Ok(())
        }
    }
}

/// Returns the entries of a data folder that are replaced, the database last. A secret or configuration
/// that the backup does not have stays.
fn former_entries(staging: &Path, target: &Path) -> Result<Vec<String>, BackupError> {
    let has_data = has_data(target)?;
    let secret = [secrets::FILE].into_iter().filter(|name| {
        // The secret belongs to the data; alone, it is replaced by another one.
        has_data || !has_same_bytes(&staging.join(name), &target.join(name))
    });
    let configuration = [manifest::CONFIGURATION].into_iter().filter(|_| has_data);
    let names = secret
        .chain(configuration)
        .filter(|name| files::exists(&staging.join(name)))
        .chain(DATA_ENTRIES);
    Ok(names
        .filter(|name| files::exists(&target.join(name)))
        .map(str::to_owned)
        .collect())
}

/// Whether two regular files have the same bytes. Other files never do.
fn has_same_bytes(first: &Path, second: &Path) -> bool {
    let read = |path: &Path| files::read(path, MAX_ENCRYPTED).ok();
    read(first).is_some_and(|bytes| read(second) == Some(bytes))
}
