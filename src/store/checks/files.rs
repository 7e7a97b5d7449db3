//! The contents of attachments: missing, changed and unknown ones.

use crate::StoreError;
use crate::files::contents::Contents;
use crate::files::pieces;
use crate::files::stored_files::{blob_path, entries, io_error, is_digest};
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

/// Missing, changed and unknown contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileDamage {
    /// The SHA-256 of missing contents.
    pub missing: Vec<String>,
    /// The SHA-256 under which changed contents were stored.
    pub changed: Vec<String>,
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
            Contents::Folder(folder) => hash_file(&blob_path(folder, sha256), with_hashes)?,
            Contents::Database => hash_pieces(db, sha256, with_hashes)?,
        };
        match found {
            None => damage.missing.push(sha256.clone()),
            Some(Some(hash)) if hash != *sha256 => damage.changed.push(sha256.clone()),
            Some(_) => {}
        }
    }
    if let Contents::Folder(folder) = contents {
        let known: HashSet<String> = digests.into_iter().collect();
        damage.unknown = unknown(folder, &known, now)?;
    }
    Ok(damage)
}

/// Returns the hash of a file, if it is to be read; `None` if there is no such file.
fn hash_file(path: &Path, with_hash: bool) -> Result<Option<Option<String>>, StoreError> {
    if !path.is_file() {
        return Ok(None);
    }
    if !with_hash {
        return Ok(Some(None));
    }
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        outcome => outcome.map_err(io_error(path))?,
    };
    let mut digest = Sha256::new();
    let mut buffer = vec![0; CHUNK];
    loop {
        let length = file.read(&mut buffer).map_err(io_error(path))?;
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

/// Returns the files in the subfolders of contents that no attachment has. Links are never followed.
/// Recent files are skipped, because their transaction may not be committed yet. The folder itself is
/// skipped, because it has uploads in progress, which the service removes.
fn unknown(
    folder: &Path,
    known: &HashSet<String>,
    now: SystemTime,
) -> Result<Vec<PathBuf>, StoreError> {
    let mut unknown = Vec::new();
    for subfolder in entries(folder)? {
        let name = subfolder.file_name().and_then(|name| name.to_str());
        let is_of_contents = name.is_some_and(|name| {
            name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        if !is_of_contents || !is_directory(&subfolder) {
            continue;
        }
        for path in entries(&subfolder)? {
            let name = path.file_name().and_then(|name| name.to_str());
            let is_known = name.is_some_and(|name| is_digest(name) && known.contains(name));
            if !is_known && !is_directory(&path) && is_old(&path, now) {
                unknown.push(path);
            }
        }
    }
    unknown.sort();
    Ok(unknown)
}

fn is_directory(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

fn is_old(path: &Path, now: SystemTime) -> bool {
    let modified = std::fs::symlink_metadata(path).and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| now.duration_since(modified).is_ok_and(|age| age >= MIN_AGE))
}
