//! The contents of attachments as blobs, named by their SHA-256: files in a folder, or pieces in
//! the database.
//!
//! A blob is first written to a temporary file. In a folder, the file is synced, and renamed within
//! the transaction that first references the blob; in the database, that transaction inserts the
//! pieces. A blob is deleted within a transaction, when neither that transaction nor the committed
//! records reference it. Only one transaction writes at a time, so a referenced blob always exists.

use super::content::Content;
use super::contents::Contents;
use super::staged::KEPT_PREFIX;
use super::stored_files::{
    TEMPORARY_PREFIX, blob_folder, blob_path, entries, io_error, is_digest, is_expired, write_error,
};
use super::{pieces, thumbnails};
use crate::content::attachments;
use crate::{Read, Store, StoreError, Write, properties};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

pub use super::staged::{BlobWriter, KeptFile, StagedBlob};

/// Deletes the kept files of processes that have ended. Call it when the service starts.
pub fn delete_kept(store: &Store) -> Result<(), StoreError> {
    for path in entries(&blob_folder(store.folder()))? {
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| name.starts_with(KEPT_PREFIX)) {
            std::fs::remove_file(&path).map_err(io_error(&path))?;
        }
    }
    Ok(())
}

/// Inserts a blob. Call it in the transaction that writes the digest to a record, and [`sync`]
/// after the commit.
pub fn insert(db: &mut Write<'_>, blob: StagedBlob) -> Result<(), StoreError> {
    match blob.contents() {
        // Replaces a blob with the same content: open readers are not affected, and a corrupted
        // file is repaired.
        Contents::Folder(folder) => {
            let path = blob_path(folder, blob.sha256());
            std::fs::rename(blob.path(), &path).map_err(write_error(&path))
        }
        Contents::Database => {
            // Another process may have begun to use a shared folder.
            let files: Option<String> = db
                .column(properties::FIND, &[properties::FILES.into()])?
                .pop();
            if files.as_deref() == Some(properties::FILES_IN_FOLDER) {
                return Err(StoreError::NoFilesFolder);
            }
            let mut file = File::open(blob.path()).map_err(io_error(blob.path()))?;
            pieces::insert(db, blob.sha256(), &mut file)?.map_err(io_error(blob.path()))
        }
    }
}

/// Syncs the folders of a blob that is a file, so that the rename survives a power failure. Does
/// nothing for a blob in the database.
pub fn sync(store: &Store, sha256: &str) -> Result<(), StoreError> {
    let Contents::Folder(folder) = store.contents() else {
        return Ok(());
    };
    let path = blob_path(folder, sha256);
    // The parent of a shared folder may be on another file system.
    let depth = if folder.starts_with(store.folder()) {
        3
    } else {
        2
    };
    for folder in path.ancestors().skip(1).take(depth) {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(io_error(folder))?;
    }
    Ok(())
}

/// Whether the blob exists.
pub fn exists(db: &Read<'_>, store: &Store, sha256: &str) -> Result<bool, StoreError> {
    store.contents().contains(db, sha256)
}

/// Opens the blob, if it exists. Read it after the snapshot has ended: pieces are read from the
/// database in snapshots of their own, each of which needs a connection.
pub fn open(
    db: &Read<'_>,
    store: &Arc<Store>,
    sha256: &str,
) -> Result<Option<Content>, StoreError> {
    match store.contents() {
        Contents::Folder(folder) => {
            let path = blob_path(folder, sha256);
            match File::open(&path).and_then(Content::from_file) {
                Ok(content) => Ok(Some(content)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(io_error(&path)(error)),
            }
        }
        Contents::Database => {
            let length = pieces::length(db, sha256)?;
            Ok(length.map(|length| Content::from_pieces(store, sha256, length)))
        }
    }
}

/// Loads the blob into memory, at most its first `max` bytes, if it exists.
pub fn load(
    db: &Read<'_>,
    store: &Arc<Store>,
    sha256: &str,
    max: usize,
) -> Result<Option<Vec<u8>>, StoreError> {
    let mut bytes = Vec::new();
    match store.contents() {
        Contents::Folder(folder) => {
            let Some(content) = open(db, store, sha256)? else {
                return Ok(None);
            };
            let path = blob_path(folder, sha256);
            content
                .take(max as u64)
                .read_to_end(&mut bytes)
                .map_err(io_error(&path))?;
        }
        Contents::Database => {
            // In this snapshot, because another one would need a second connection.
            let mut n = 0;
            while bytes.len() < max
                && let Some(piece) = pieces::load(db, sha256, n)?
            {
                bytes.extend_from_slice(&piece);
                n += 1;
            }
            if n == 0 && max > 0 {
                return Ok(None);
            }
            bytes.truncate(max);
        }
    }
    Ok(Some(bytes))
}

/// Deletes the given blobs that no record references, with their thumbnails. Returns how many blobs
/// were deleted. Call it after the deletion of the references is committed.
pub fn delete_unused(store: &Arc<Store>, digests: Vec<String>) -> Result<usize, StoreError> {
    if digests.is_empty() {
        return Ok(0);
    }
    let committed = Arc::clone(store);
    let (unused, deleted) = store.write_with_reserve(move |db| {
        let mut unused = Vec::new();
        let mut deleted = 0;
        for sha256 in digests {
            if attachments::count_by_content(db, &sha256)? > 0 {
                continue;
            }
            deleted += usize::from(match committed.contents() {
                Contents::Folder(folder) => {
                    // An uncommitted deletion may be rolled back, so committed references count
                    // too. No other transaction commits meanwhile.
                    if committed.read(|db: &Read<'_>| attachments::count_by_content(db, &sha256))?
                        > 0
                    {
                        continue;
                    }
                    delete_file(&blob_path(folder, &sha256))?
                }
                Contents::Database => pieces::delete(db, &sha256)?,
            });
            unused.push(sha256);
        }
        Ok::<_, StoreError>((unused, deleted))
    })?;
    // After the blobs, so that none is cached again in between, see `thumbnails::insert`.
    for sha256 in &unused {
        thumbnails::delete(store, sha256);
    }
    Ok(deleted)
}

/// Deletes a file. Returns whether it existed.
fn delete_file(path: &Path) -> Result<bool, StoreError> {
    let exists = path.is_file();
    if exists {
        std::fs::remove_file(path).map_err(io_error(path))?;
    }
    Ok(exists)
}

/// Deletes blobs that no record references and old temporary files, one subfolder at a time. Stops
/// early when `go_on` returns `false`. Returns how many were deleted.
pub fn delete_orphans(
    store: &Arc<Store>,
    now: SystemTime,
    go_on: &dyn Fn() -> bool,
) -> Result<usize, StoreError> {
    let mut deleted = delete_temporary_files(store, now)?;
    match store.contents() {
        Contents::Database => {
            for sha256 in store
                .read(pieces::list_unused)?
                .into_iter()
                .take_while(|_| go_on())
            {
                deleted += delete_unused(store, vec![sha256])?;
            }
        }
        Contents::Folder(folder) => {
            for path in entries(folder)?.into_iter().take_while(|_| go_on()) {
                if !path.is_dir() {
                    continue;
                }
                let names = entries(&path)?
                    .into_iter()
                    .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
                let unused = store.read(|db: &Read<'_>| {
                    unused(db, names.filter(|name| is_digest(name)).collect())
                })?;
                deleted += delete_unused(store, unused)?;
            }
        }
    }
    Ok(deleted)
}

/// Deletes old temporary files of interrupted uploads, in the data folder and in the shared folder.
/// Returns how many were deleted.
pub fn delete_temporary_files(store: &Store, now: SystemTime) -> Result<usize, StoreError> {
    let own = blob_folder(store.folder());
    let shared = match store.contents() {
        Contents::Folder(folder) if *folder != own => Some(folder),
        _ => None,
    };
    let mut deleted = 0;
    for folder in [Some(&own), shared].into_iter().flatten() {
        for path in entries(folder)? {
            let name = path.file_name().and_then(|name| name.to_str());
            let is_temporary = name.is_some_and(|name| name.starts_with(TEMPORARY_PREFIX));
            deleted += usize::from(
                is_temporary && is_expired(&path, now) && std::fs::remove_file(&path).is_ok(),
            );
        }
    }
    Ok(deleted)
}

fn unused(db: &Read<'_>, names: Vec<String>) -> Result<Vec<String>, StoreError> {
    let mut unused = Vec::new();
    for name in names {
        if attachments::count_by_content(db, &name)? == 0 {
            unused.push(name);
        }
    }
    Ok(unused)
}
