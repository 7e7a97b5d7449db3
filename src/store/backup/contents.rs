//! The contents of attachments in a folder of backups, which all backups share, and the list of the
//! contents of each backup.

use super::error::{BackupError, damaged, file_error};
use super::files::{self, open_regular};
use super::manifest::{self, is_digest};
use crate::data_folder::file_mode;
use crate::files::stored_files::blob_path;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Maximum length of a line of a list in bytes.
const MAX_LINE: u64 = 256;

/// The contents that the attachments of a store reference, with their sizes.
pub type Referenced = BTreeMap<String, u64>;

/// Copies contents into a folder of backups.
pub struct ContentCopier {
    /// The folder of the store.
    source: PathBuf,
    /// The folder of the backups.
    target: PathBuf,
    /// The path of the file that is being written.
    temporary: PathBuf,
    /// Folders in which files were created, to be synced.
    unsynced: BTreeSet<PathBuf>,
    /// Number and size of the contents that were copied.
    pub copied: (u64, u64),
    /// Contents that the store lacks.
    pub missing: BTreeSet<String>,
    /// Contents that are damaged in the store.
    pub damaged: BTreeSet<String>,
}

impl ContentCopier {
    /// Creates a copier, with a folder for the file that is being written.
    pub fn new(source: PathBuf, target: PathBuf, staging: &Path) -> ContentCopier {
        ContentCopier {
            source,
            target,
            temporary: staging.join("content"),
            unsynced: BTreeSet::new(),
            copied: (0, 0),
            missing: BTreeSet::new(),
            damaged: BTreeSet::new(),
        }
    }

    /// Returns the path of a content in the store.
    pub fn source(&self, sha256: &str) -> PathBuf {
        blob_path(&self.source, sha256)
    }

    /// Copies the contents that the target lacks.
    pub fn copy(
        &mut self,
        referenced: &Referenced,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), BackupError> {
        self.missing.clear();
        self.damaged.clear();
        for (sha256, size) in referenced {
            let path = blob_path(&self.target, sha256);
            check_no_link(path.parent()).map_err(file_error(&path))?;
            // A file gets its final name when it is complete.
            let is_copied = std::fs::symlink_metadata(&path)
                .is_ok_and(|file| file.is_file() && file.len() == *size);
            if !is_copied {
                self.copy_one(sha256, go_on)?;
            }
            if !go_on(0) {
                return Err(BackupError::Stopped);
            }
        }
        for folder in std::mem::take(&mut self.unsynced) {
            files::sync(&folder)?;
        }
        Ok(())
    }

    fn copy_one(
        &mut self,
        sha256: &str,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), BackupError> {
        let path = self.source(sha256);
        let mut file = match open(&self.source, sha256) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.missing.insert(sha256.to_owned());
                return Ok(());
            }
            // A link, a folder, or a file that may not be read.
            Err(_) => {
                self.damaged.insert(sha256.to_owned());
                return Ok(());
            }
            Ok(file) => file,
        };
        files::remove(&self.temporary)?;
        let mut copy =
            files::create_private(&self.temporary).map_err(file_error(&self.temporary))?;
        let copied = files::copy((&mut file, &path), (&mut copy, &self.temporary), go_on)?;
        if copied.sha256 != sha256 {
            self.damaged.insert(sha256.to_owned());
            return files::remove(&self.temporary).map(drop);
        }
        copy.sync_all().map_err(file_error(&self.temporary))?;
        let target = blob_path(&self.target, sha256);
        let folder = target.parent().unwrap_or(&self.target);
        if !files::is_folder(folder) {
            file_mode::create_dir(folder).map_err(file_error(folder))?;
            self.unsynced
                .extend(folder.ancestors().skip(1).take(2).map(Path::to_owned));
        }
        std::fs::rename(&self.temporary, &target).map_err(file_error(&target))?;
        self.unsynced.insert(folder.to_owned());
        self.copied.0 += 1;
        self.copied.1 += copied.size;
        Ok(())
    }
}

/// Opens a content in a folder of contents. No symbolic link below the folder is followed.
pub fn open(contents: &Path, sha256: &str) -> io::Result<File> {
    let path = blob_path(contents, sha256);
    check_no_link(path.parent())?;
    open_regular(&path)
}

/// Fails if there is something else than a folder at this path.
fn check_no_link(folder: Option<&Path>) -> io::Result<()> {
    match folder.map(std::fs::symlink_metadata) {
        Some(Ok(metadata)) if !metadata.is_dir() => Err(files::irregular()),
        _ => Ok(()),
    }
}

/// Writes the list of the contents of a backup, without those that `is_left_out`. Returns their number
/// and size.
pub fn write_list(
    folder: &Path,
    referenced: &Referenced,
    is_left_out: impl Fn(&str) -> bool,
) -> Result<(u64, u64), BackupError> {
    let path = folder.join(manifest::CONTENTS);
    let file = files::create_private(&path).map_err(file_error(&path))?;
    let mut writer = BufWriter::new(file);
    let mut total = (0, 0);
    for (sha256, size) in referenced {
        if !is_left_out(sha256) {
            writer
                .write_all(line(sha256).as_bytes())
                .map_err(file_error(&path))?;
            total.0 += 1;
            total.1 = size.saturating_add(total.1);
        }
    }
    let file = writer
        .into_inner()
        .map_err(|error| file_error(&path)(error.into_error()))?;
    file.sync_all().map_err(file_error(&path))?;
    Ok(total)
}

/// Returns a line that `sha256sum --check` accepts in the folder of the backup.
fn line(sha256: &str) -> String {
    format!("{sha256}  ../files/{}/{sha256}\n", &sha256[..2])
}

/// Calls `visit` with the digest of each content of a backup. Fails if they are not sorted, or if one is
/// repeated.
pub fn for_each(
    folder: &Path,
    mut visit: impl FnMut(&str) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let path = folder.join(manifest::CONTENTS);
    let file: File = open_regular(&path).map_err(file_error(&path))?;
    let mut reader = BufReader::new(file);
    let mut text = String::new();
    let mut last = String::new();
    loop {
        text.clear();
        let mut limited = std::io::Read::take(&mut reader, MAX_LINE);
        if limited.read_line(&mut text).map_err(file_error(&path))? == 0 {
            return Ok(());
        }
        let sha256 = text.get(..64).filter(|sha256| is_digest(sha256));
        let sha256 = sha256.filter(|sha256| line(sha256) == text);
        let sha256 = sha256.ok_or_else(|| damaged(&path, "a line is invalid"))?;
        if *sha256 <= *last {
            return Err(damaged(&path, "its lines are not sorted, or repeated"));
        }
        sha256.clone_into(&mut last);
        visit(sha256)?;
    }
}

/// Deletes contents that none of these backups has, and returns their number and size. Deletes nothing
/// if the list of one of the backups cannot be read.
pub fn delete_unused(contents: &Path, backups: &[PathBuf]) -> Result<(u64, u64), BackupError> {
    let mut used: BTreeSet<[u8; 32]> = BTreeSet::new();
    for backup in backups {
        let listed = manifest::Manifest::load(backup)?
            .file(manifest::CONTENTS)
            .cloned();
        let Some(listed) = listed else { continue };
        let path = backup.join(manifest::CONTENTS);
        if files::fingerprint(&path, &mut |_| true)? != listed {
            return Err(damaged(&path, "its digest is not that in the manifest"));
        }
        for_each(backup, |sha256| {
            let mut digest = [0; 32];
            if hex::decode_to_slice(sha256, &mut digest).is_ok() {
                used.insert(digest);
            }
            Ok(())
        })?;
    }
    let mut deleted = (0, 0);
    if !files::is_folder(contents) {
        return Ok(deleted);
    }
    for name in files::names(contents)? {
        let folder = contents.join(&name);
        if !files::is_folder(&folder) {
            continue;
        }
        for name in files::names(&folder)?.iter().filter(|name| is_digest(name)) {
            let mut digest = [0; 32];
            if hex::decode_to_slice(name, &mut digest).is_ok() && !used.contains(&digest) {
                let path = folder.join(name);
                deleted.0 += 1;
                deleted.1 += std::fs::symlink_metadata(&path).map_or(0, |file| file.len());
                files::remove(&path)?;
            }
        }
    }
    Ok(deleted)
}
