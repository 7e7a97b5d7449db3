//! The contents of attachments as blobs: files in the data folder under `files/`, named by their
//! SHA-256.
//!
//! A blob is written to a temporary file, synced, and renamed within the transaction that first
//! references it. It is deleted within a transaction, when neither that transaction nor the
//! committed records reference it. Only one transaction writes at a time, so a referenced blob
//! always exists.

use super::stored_files::{
    TEMPORARY_PREFIX, blob_folder as folder, blob_path as path_of, entries, io_error, is_digest,
    is_expired,
};
use super::thumbnails;
use crate::content::attachments;
use crate::data_folder::file_mode;
use crate::{Read, Store, StoreError, Write};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// What the names of kept files start with.
const KEPT_PREFIX: &str = "kept";

/// Writes a blob to a temporary file. Dropping it deletes the file.
#[derive(Debug)]
pub struct BlobWriter {
    data: PathBuf,
    path: PathBuf,
    file: File,
    digest: Sha256,
    size: u64,
}

impl BlobWriter {
    /// Creates a temporary file in this data folder.
    pub fn create(data: &Path) -> Result<BlobWriter, StoreError> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let folder = folder(data);
        file_mode::create_dir(&folder).map_err(io_error(&folder))?;
        loop {
            let path = folder.join(format!(
                "{TEMPORARY_PREFIX}-{}-{}",
                std::process::id(),
                COUNTER.fetch_add(1, Ordering::Relaxed)
            ));
            match File::options().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    return Ok(BlobWriter {
                        data: data.to_owned(),
                        path,
                        file,
                        digest: Sha256::new(),
                        size: 0,
                    });
                }
                // A process with the same id was killed earlier, or runs on another machine.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io_error(&path)(error)),
            }
        }
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.digest.update(bytes);
        self.size += bytes.len() as u64;
        self.file.write_all(bytes).map_err(io_error(&self.path))
    }

    /// Returns the number of bytes written so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Ends the blob. Its bytes are on disk when this returns.
    pub fn finish(self) -> Result<StagedBlob, StoreError> {
        self.file.sync_all().map_err(io_error(&self.path))?;
        let sha256 = hex::encode(self.digest.clone().finalize());
        let folder = path_of(&self.data, &sha256);
        let folder = folder.parent().unwrap_or(&self.data);
        file_mode::create_dir(folder).map_err(io_error(folder))?;
        Ok(StagedBlob {
            sha256,
            writer: self,
        })
    }
}

impl Drop for BlobWriter {
    fn drop(&mut self) {
        // The file does not exist any more when the blob was inserted.
        if let Err(error) = std::fs::remove_file(&self.path)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(error = %error, path = %self.path.display(), "a temporary file could not be deleted");
        }
    }
}

/// A complete blob in a temporary file, not yet inserted.
#[derive(Debug)]
pub struct StagedBlob {
    sha256: String,
    writer: BlobWriter,
}

impl StagedBlob {
    /// Returns its SHA-256 in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Returns its size in bytes.
    pub fn size(&self) -> u64 {
        self.writer.size
    }

    /// Keeps the file for this process, which is never taken for one that was left over.
    pub fn keep(self) -> Result<KeptFile, StoreError> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = folder(&self.writer.data)
            .join(format!("{KEPT_PREFIX}-{}-{number}", std::process::id()));
        std::fs::rename(&self.writer.path, &path).map_err(io_error(&path))?;
        Ok(KeptFile { path })
    }
}

/// A file that no record has, such as a database that is imported. Dropping it deletes the file, with
/// those that SQLite has made next to it.
#[derive(Debug)]
pub struct KeptFile {
    path: PathBuf,
}

impl KeptFile {
    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for KeptFile {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let mut path = self.path.clone().into_os_string();
            path.push(suffix);
            if let Err(error) = std::fs::remove_file(&path)
                && error.kind() != io::ErrorKind::NotFound
            {
                tracing::warn!(error = %error, path = %self.path.display(), "an uploaded file could not be deleted");
            }
        }
    }
}

/// Deletes the kept files of processes that have ended. Call it when the service starts.
pub fn delete_kept(store: &Store) -> Result<(), StoreError> {
    for path in entries(&folder(store.folder()))? {
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| name.starts_with(KEPT_PREFIX)) {
            std::fs::remove_file(&path).map_err(io_error(&path))?;
        }
    }
    Ok(())
}

/// Renames a blob to its final path. Call it in the transaction that writes the digest to a record.
/// After the commit, [`sync`] makes the rename durable.
pub fn insert(_db: &mut Write<'_>, blob: StagedBlob) -> Result<(), StoreError> {
    // Replaces a blob with the same content: open readers are not affected, and a corrupted file is
    // repaired.
    let path = path_of(&blob.writer.data, &blob.sha256);
    std::fs::rename(&blob.writer.path, &path).map_err(io_error(&path))
}

/// Syncs the folders of the blob, so that the rename survives a power failure.
pub fn sync(store: &Store, sha256: &str) -> Result<(), StoreError> {
    let path = path_of(store.folder(), sha256);
    for folder in path.ancestors().skip(1).take(3) {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(io_error(folder))?;
    }
    Ok(())
}

/// Opens the blob, if it exists.
pub fn open(store: &Store, sha256: &str) -> Result<Option<File>, StoreError> {
    let path = path_of(store.folder(), sha256);
    match File::open(&path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error(&path)(error)),
    }
}

/// Deletes those of these blobs that no record references, with their thumbnails. Returns how many
/// blobs were deleted. The deletion of the references must be committed.
pub fn delete_unused(store: &Arc<Store>, digests: Vec<String>) -> Result<usize, StoreError> {
    if digests.is_empty() {
        return Ok(0);
    }
    let committed = Arc::clone(store);
    let (unused, deleted) = store.write_with_reserve(move |db| {
        let mut unused = Vec::new();
        let mut deleted = 0;
        for sha256 in digests {
            // An uncommitted deletion may be rolled back, so committed references count too. No
            // other transaction commits meanwhile.
            let used = attachments::count_by_content(db, &sha256)? > 0
                || committed.read(|db: &Read<'_>| attachments::count_by_content(db, &sha256))? > 0;
            if used {
                continue;
            }
            let path = path_of(committed.folder(), &sha256);
            if path.is_file() {
                std::fs::remove_file(&path).map_err(io_error(&path))?;
                deleted += 1;
            }
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

/// Deletes blobs that no record references and old temporary files, one subfolder at a time. Stops
/// early when `go_on` returns `false`. Returns how many were deleted.
pub fn delete_orphans(
    store: &Arc<Store>,
    now: SystemTime,
    go_on: &dyn Fn() -> bool,
) -> Result<usize, StoreError> {
    let folder = folder(store.folder());
    let mut deleted = 0;
    for path in entries(&folder)?.into_iter().take_while(|_| go_on()) {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if name.starts_with(TEMPORARY_PREFIX) {
            deleted += usize::from(is_expired(&path, now) && std::fs::remove_file(&path).is_ok());
        } else if path.is_dir() {
            let names = entries(&path)?
                .into_iter()
                .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
            let unused = store
                .read(|db: &Read<'_>| unused(db, names.filter(|name| is_digest(name)).collect()))?;
            deleted += delete_unused(store, unused)?;
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
