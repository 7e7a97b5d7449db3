//! The contents of attachments: missing, changed, unreadable and unknown ones.

use crate::StoreError;
use crate::files::contents::Contents;
use crate::files::pieces;
use crate::files::stored_files::{blob_path, entries, is_digest};
use crate::transaction::snapshot::Snapshot;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Minimum age of a file without an attachment to be reported as unknown.
const MIN_AGE: Duration = Duration::from_secs(3600);
/// Number of bytes per read.
const CHUNK: usize = 64 * 1024;

/// Missing, changed, unreadable and unknown contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileDamage {
    /// The SHA-256 of missing contents.
    pub missing: Vec<String>,
    /// The SHA-256 under which changed contents were stored.
    pub changed: Vec<String>,
    /// Attachments whose recorded sizes are not those of their contents.
    pub sizes: Vec<String>,
    /// Paths that cannot be read, or where a link or a folder is in place of a content, with the problem.
    pub unreadable: Vec<String>,
    /// Files that belong neither to an attachment nor to an upload in progress.
    pub unknown: Vec<PathBuf>,
    /// The number of contents that were checked.
    pub checked: usize,
}

/// Checks the contents.
pub(super) fn check(
    db: &Snapshot<'_>,
    contents: &Contents,
    with_hashes: bool,
    now: SystemTime,
) -> Result<FileDamage, StoreError> {
    let sql = "SELECT DISTINCT content_sha256 FROM attachments WHERE content_sha256 IS NOT NULL ORDER BY content_sha256";
    let digests: Vec<String> = db.column(sql, &[])?;
    let mut damage = FileDamage {
        checked: digests.len(),
        ..FileDamage::default()
    };
    for sha256 in &digests {
        let found = match contents {
            Contents::Folder(folder) => {
                let path = blob_path(folder, sha256);
                match hash_file(&path, with_hashes) {
                    Ok(found) => found,
                    Err(error) => {
                        damage.add_unreadable(&path, &error);
                        continue;
                    }
                }
            }
            Contents::Database => hash_pieces(db, sha256, with_hashes)?,
        };
        match found {
            None => damage.missing.push(sha256.clone()),
            Some(Some(hash)) if hash != *sha256 => damage.changed.push(sha256.clone()),
            Some(_) => damage.sizes.extend(wrong_sizes(db, contents, sha256)?),
        }
    }
    if let Contents::Folder(folder) = contents {
        let known: HashSet<String> = digests.into_iter().collect();
        damage.find_unknown(folder, &known, now);
    }
    Ok(damage)
}

/// Returns the attachments of a content whose recorded sizes are not that of the content.
fn wrong_sizes(
    db: &Snapshot<'_>,
    contents: &Contents,
    sha256: &str,
) -> Result<Vec<String>, StoreError> {
    let size = match contents {
        Contents::Folder(folder) => match std::fs::symlink_metadata(blob_path(folder, sha256)) {
            Ok(metadata) => i64::try_from(metadata.len()).unwrap_or(i64::MAX),
            // It has just been deleted.
            Err(_) => return Ok(Vec::new()),
        },
        Contents::Database => db.query_i64(
            "SELECT SUM(LENGTH(bytes)) FROM blobs WHERE sha256 = ?1",
            &[sha256.into()],
        )?,
    };
    let sql = "SELECT id, filesize FROM attachments WHERE content_sha256 = ?1 AND filesize <> ?2 ORDER BY id";
    db.rows(sql, &[sha256.into(), size.into()], |row| {
        let id: i64 = row.next()?;
        let recorded: i64 = row.next()?;
        Ok(format!(
            "attachments.filesize is {recorded} in row {id}, but the content has {size} bytes"
        ))
    })
}

/// Returns the hash of a file, if it is to be read; `None` if there is no such file. Fails for a link,
/// a folder and other entries, and for a file that cannot be read.
fn hash_file(path: &Path, with_hash: bool) -> io::Result<Option<Option<String>>> {
    let metadata = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        outcome => outcome?,
    };
    if metadata.is_symlink() {
        return Err(io::Error::other("it is a symbolic link"));
    }
    if metadata.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        outcome => outcome?,
    };
    if !with_hash {
        return Ok(Some(None));
    }
    let mut digest = Sha256::new();
    let mut buffer = vec![0; CHUNK];
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            return Ok(Some(Some(hex::encode(digest.finalize()))));
        }
        digest.update(&buffer[..length]);
    }
}

fn hash_pieces(
    db: &Snapshot<'_>,
    sha256: &str,
    with_hash: bool,
) -> Result<Option<Option<String>>, StoreError> {
    let mut digest = Sha256::new();
    for n in 0.. {
        let piece: Option<Vec<u8>> =
            db.first(pieces::LOAD, &pieces::key(sha256, n), |row| row.next())?;
        match piece {
            None if n == 0 => return Ok(None),
            None => break,
            Some(_) if !with_hash => return Ok(Some(None)),
            Some(piece) => digest.update(&piece),
        }
    }
    Ok(Some(Some(hex::encode(digest.finalize()))))
}

impl FileDamage {
    fn add_unreadable(&mut self, path: &Path, error: &io::Error) {
        self.unreadable.push(format!("{}: {error}", path.display()));
    }

    /// Returns the entries of a folder; none if it cannot be read, which is damage.
    fn entries(&mut self, folder: &Path) -> Vec<PathBuf> {
        match entries(folder) {
            Ok(entries) => entries,
            // The error has the path already.
            Err(error) => {
                self.unreadable.push(error.to_string());
                Vec::new()
            }
        }
    }

    /// Collects the files in the subfolders of contents that no attachment has. Links are never followed.
    /// Recent files are skipped, because their transaction may not be committed yet. The folder itself is
    /// skipped, because it has uploads in progress, which the service removes.
    fn find_unknown(&mut self, folder: &Path, known: &HashSet<String>, now: SystemTime) {
        for subfolder in self.entries(folder) {
            let name = subfolder.file_name().and_then(|name| name.to_str());
            let is_of_contents = name.is_some_and(|name| {
                name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
            });
            if !is_of_contents || !is_directory(&subfolder) {
                continue;
            }
            for path in self.entries(&subfolder) {
                let name = path.file_name().and_then(|name| name.to_str());
                let is_known = name.is_some_and(|name| is_digest(name) && known.contains(name));
                if !is_known && !is_directory(&path) && is_old(&path, now) {
                    self.unknown.push(path);
                }
            }
        }
        self.unknown.sort();
    }
}

fn is_directory(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

fn is_old(path: &Path, now: SystemTime) -> bool {
    let modified = std::fs::symlink_metadata(path).and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| now.duration_since(modified).is_ok_and(|age| age >= MIN_AGE))
}

#[cfg(test)]
#[cfg(unix)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::{FileDamage, hash_file};
    use std::collections::HashSet;
    use std::fs;
    use std::time::SystemTime;

    #[test]
    fn entries_that_are_not_files_are_errors_and_missing_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("content");
        let problem = || hash_file(&path, true).unwrap_err().to_string();
        assert_eq!(hash_file(&path, true).unwrap(), None);
        fs::create_dir(&path).unwrap();
        assert_eq!(problem(), "it is a folder");
        fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink("/dev/null", &path).unwrap();
        assert_eq!(problem(), "it is a symbolic link");
        fs::remove_file(&path).unwrap();
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert_eq!(problem(), "it is not a regular file");
        fs::remove_file(&path).unwrap();
        fs::write(&path, "x").unwrap();
        assert_eq!(hash_file(&path, false).unwrap(), Some(None));
        assert!(hash_file(&path, true).unwrap().flatten().is_some());
        assert!(hash_file(&path.join("below"), true).is_err());
    }

    #[test]
    fn folder_that_cannot_be_listed_is_damage() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut damage = FileDamage::default();
        damage.find_unknown(file.path(), &HashSet::new(), SystemTime::UNIX_EPOCH);
        assert_eq!(damage.unreadable.len(), 1, "{damage:?}");
        let path = file.path().display().to_string();
        assert!(damage.unreadable[0].starts_with(&path), "{damage:?}");
    }
}
