//! Blobs that are written to a temporary file before they are inserted.

use super::contents::Contents;
use super::stored_files::{TEMPORARY_PREFIX, blob_folder, blob_path, io_error, write_error};
use crate::data_folder::file_mode;
use crate::{Store, StoreError};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Prefix of the names of kept files; process id and a counter follow.
pub(super) const KEPT_PREFIX: &str = "kept";

/// Writes a blob to a temporary file. Dropping it deletes the file.
#[derive(Debug)]
pub struct BlobWriter {
    /// The data folder.
    data: PathBuf,
    /// Where the blob will be inserted.
    contents: Contents,
    path: PathBuf,
    file: File,
    digest: Sha256,
    size: u64,
}

impl BlobWriter {
    /// Creates a temporary file: in the folder of the contents, so that it can be renamed, or, if
    /// these are in the database, in the data folder.
    pub fn create(store: &Store) -> Result<BlobWriter, StoreError> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let folder = match store.contents() {
            Contents::Folder(folder) => folder.clone(),
            Contents::Database => blob_folder(store.folder()),
        };
        file_mode::create_dir(&folder).map_err(write_error(&folder))?;
        loop {
            let path = folder.join(format!(
                "{TEMPORARY_PREFIX}-{}-{}",
                std::process::id(),
                COUNTER.fetch_add(1, Ordering::Relaxed)
            ));
            match File::options().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    return Ok(BlobWriter {
                        data: store.folder().to_owned(),
                        contents: store.contents().clone(),
                        path,
                        file,
                        digest: Sha256::new(),
                        size: 0,
                    });
                }
                // A process with the same id was killed earlier, or runs on another machine.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(write_error(&path)(error)),
            }
        }
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.digest.update(bytes);
        self.size += bytes.len() as u64;
        self.file.write_all(bytes).map_err(write_error(&self.path))
    }

    /// Returns the number of bytes written so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Completes the blob. If it becomes a file, its bytes are on disk when this returns.
    pub fn finish(self) -> Result<StagedBlob, StoreError> {
        let sha256 = hex::encode(self.digest.clone().finalize());
        if let Contents::Folder(folder) = &self.contents {
            self.file.sync_all().map_err(write_error(&self.path))?;
            let path = blob_path(folder, &sha256);
            let folder = path.parent().unwrap_or(folder);
            file_mode::create_dir(folder).map_err(write_error(folder))?;
        }
        Ok(StagedBlob {
            sha256,
            writer: self,
        })
    }
}

impl Drop for BlobWriter {
    fn drop(&mut self) {
        // A blob that was inserted as a file has been renamed.
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

    /// Opens it, for who keeps something else than the blob.
    pub fn open(&self) -> Result<File, StoreError> {
        File::open(&self.writer.path).map_err(io_error(&self.writer.path))
    }

    /// Returns where the blob will be inserted.
    pub(super) fn contents(&self) -> &Contents {
        &self.writer.contents
    }

    /// Returns the path of the temporary file.
    pub(super) fn path(&self) -> &Path {
        &self.writer.path
    }

    /// Moves the file to the data folder, where this process keeps it under a name that the cleanup
    /// of temporary files ignores.
    pub fn keep(self) -> Result<KeptFile, StoreError> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let folder = blob_folder(&self.writer.data);
        file_mode::create_dir(&folder).map_err(write_error(&folder))?;
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{KEPT_PREFIX}-{}-{number}", std::process::id()));
        let kept = KeptFile { path };
        // A file cannot be renamed from a shared folder to another file system.
        std::fs::rename(&self.writer.path, &kept.path)
            .or_else(|_| std::fs::copy(&self.writer.path, &kept.path).map(drop))
            .map_err(write_error(&kept.path))?;
        Ok(kept)
    }
}

/// A file that no record references, such as an uploaded database to import. Dropping it deletes
/// the file, and the log that SQLite has created for it.
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
