//! Checks the permissions of files: other users must not read the data folder, and all of its files
//! must have its owner. Only Quarry's own entries are looked at: a folder may have others.

use super::finding::Finding;
use quarry_config::Config;

/// Checks the data folder and the index.
pub fn check(config: &Config, findings: &mut Vec<Finding>) {
    #[cfg(unix)]
    unix::check(config, findings);
    #[cfg(not(unix))]
    let _ = (config, findings);
}

#[cfg(unix)]
mod unix {
    use crate::cli::data_folder;
    use crate::cli::doctor::finding::{Finding, Fix};
    use quarry_config::Config;
    use quarry_search::{is_index, is_index_entry};
    use quarry_store::backup::is_data_folder_entry;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::path::{Path, PathBuf};

    /// Permission bits of group and others.
    const OTHERS: u32 = 0o077;
    /// The bit of folders that users share, such as `/tmp`.
    const STICKY: u32 = 0o1000;
    /// A folder that the file system creates.
    const LOST_AND_FOUND: &str = "lost+found";

    /// Checks the data folder and the index.
    pub fn check(config: &Config, findings: &mut Vec<Finding>) {
        let mut open = Vec::new();
        let mut foreign = Vec::new();
        if data_folder::has_records_or_secret(&config.data) {
            let is_own = |name: &str| name != LOST_AND_FOUND && is_data_folder_entry(name);
            inspect(&config.data, is_own, &mut open, &mut foreign);
        }
        if is_index(&config.index) {
            inspect(&config.index, is_index_entry, &mut open, &mut foreign);
        }
        if !open.is_empty() {
            let finding = Finding::error(
                "permissions",
                format!(
                    "other users of this machine can read {} files or folders",
                    open.len()
                ),
                "Remove the permissions of group and others.",
            );
            let details = open.iter().map(|path| path.display().to_string());
            let finding = finding.with_details(details.collect::<Vec<_>>());
            findings.push(finding.with_fix(Fix::Permissions(open)));
        }
        if !foreign.is_empty() {
            let finding = Finding::error(
                "owner",
                format!(
                    "{} files belong to another user than the data folder",
                    foreign.len()
                ),
                "Give them to the user of the service with chown, and run commands as that user.",
            );
            findings.push(finding.with_details(foreign));
        }
    }

    /// Collects the entries of a folder whose name `is_own` and that others can reach, and those of other
    /// owners. The folder itself is one of them if it has no other entries.
    fn inspect(
        folder: &Path,
        is_own: impl Fn(&str) -> bool,
        open: &mut Vec<PathBuf>,
        foreign: &mut Vec<String>,
    ) {
        let Ok(metadata) = std::fs::metadata(folder) else {
            return;
        };
        let mode = metadata.permissions().mode();
        let is_reachable = mode & OTHERS != 0;
        let mut is_shared = mode & STICKY != 0;
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if !is_own(&entry.file_name().to_string_lossy()) {
                is_shared = true;
                continue;
            }
            let Ok(entry_metadata) = std::fs::symlink_metadata(entry.path()) else {
                continue;
            };
            if !entry_metadata.is_file() && !entry_metadata.is_dir() {
                continue;
            }
            if entry_metadata.uid() != metadata.uid() {
                foreign.push(format!(
                    "{} belongs to the user {}",
                    entry.path().display(),
                    entry_metadata.uid()
                ));
            } else if is_reachable && entry_metadata.permissions().mode() & OTHERS != 0 {
                entries.push(entry.path());
            }
        }
        if is_reachable && !is_shared {
            open.push(folder.to_owned());
        }
        open.extend(entries);
    }
}
