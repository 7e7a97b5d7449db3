//! The files of one generation, as tantivy reads and writes them.
//!
//! A file that is mapped into memory takes the whole process down (SIGBUS) when somebody cuts it short or the disk cannot give a
//! page of it. So files are read into memory as a whole, up to a size that few are above; tantivy never changes a file that it has
//! written. Invariant: what has been opened stays readable as it was, whatever becomes of the folder, but for very large files.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, OwnedBytes, WatchCallback, WatchHandle, WritePtr};

/// Larger files are mapped, in bytes: reading them anew after a merge would hold up what was just written.
const MAPPED_FROM: u64 = 256 << 20;

/// A directory whose files are in memory while they are in use.
#[derive(Clone, Debug)]
pub(super) struct Files {
    inner: MmapDirectory,
    root: PathBuf,
    open: Arc<Mutex<HashMap<PathBuf, Opened>>>,
}

/// A file that has been opened.
#[derive(Debug)]
struct Opened {
    length: u64,
    bytes: Weak<[u8]>,
}

impl Files {
    /// The directory, which must be there.
    pub fn of(root: &Path) -> Result<Files, OpenDirectoryError> {
        Ok(Files { inner: MmapDirectory::open(root)?, root: root.to_owned(), open: Arc::default() })
    }

    fn opened(&self) -> MutexGuard<'_, HashMap<PathBuf, Opened>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the file is as long as it was when it was opened; one that has not been opened is.
    pub fn is_whole(&self, path: &Path) -> bool {
        let Some(length) = self.opened().get(path).map(|file| file.length) else { return true };
        std::fs::metadata(self.root.join(path)).is_ok_and(|found| found.len() == length)
    }
}

impl Directory for Files {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let known = self.opened().get(path).and_then(|file| file.bytes.upgrade());
        if let Some(bytes) = known {
            return Ok(Arc::new(OwnedBytes::new(bytes)));
        }
        let full = self.root.join(path);
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => OpenReadError::FileDoesNotExist(path.to_owned()),
            _ => OpenReadError::wrap_io_error(error, path.to_owned()),
        };
        let length = std::fs::metadata(&full).map_err(failed)?.len();
        if length >= MAPPED_FROM {
            self.opened().insert(path.to_owned(), Opened { length, bytes: Weak::<[u8; 0]>::new() });
            return self.inner.get_file_handle(path);
        }
        let bytes: Arc<[u8]> = std::fs::read(&full).map_err(failed)?.into();
        let opened = Opened { length: bytes.len() as u64, bytes: Arc::downgrade(&bytes) };
        self.opened().insert(path.to_owned(), opened);
        Ok(Arc::new(OwnedBytes::new(bytes)))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.opened().remove(path);
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.inner.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.inner.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.inner.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(watch_callback)
    }
}
