//! The directory of the index: a subdirectory for each generation, and a file with the current one.
//!
//! ```text
//! index/KEEPER     locked by the process that searches and writes the index, see `WRITER_LOCK`
//! index/BUILDER    locked while a generation is being built, by that process or by another one
//! index/CURRENT    the number of the current generation; replaced atomically
//! index/12/        a generation: a tantivy index
//! ```
//!
//! A rebuild creates the next generation, and then sets it in `CURRENT`. The service checks that
//! file at least every second: it opens the new generation, updates it, publishes it, and removes
//! the old one. So `quarry index rebuild` works the same with and without a running service, and
//! after a crash either the old or the new generation is complete. Locks end with their process.

use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::SearchError;
use crate::shortage::is_shortage_kind;
use quarry_store::data_folder::file_mode;

/// The lock of the process that searches and writes the index, so that no service with other
/// records shares the directory. The name must not change: a running service of an older version
/// locks the same file.
const WRITER_LOCK: &str = "KEEPER";
/// The lock of the process that builds a generation.
const BUILDER_LOCK: &str = "BUILDER";
/// The file with the number of the current generation.
const CURRENT: &str = "CURRENT";
/// The next version of that file, until it replaces it.
const NEW_CURRENT: &str = "CURRENT.new";
/// The files of the directory besides the generations.
const FILES: [&str; 4] = [WRITER_LOCK, BUILDER_LOCK, CURRENT, NEW_CURRENT];
/// Approximate number of files that a commit has open.
const PROBED_FILES: usize = 16;
/// Approximate number of bytes of a small commit.
const PROBED_BYTES: usize = 64 * 1024;

/// The directory of the index.
#[derive(Clone, Debug)]
pub(crate) struct IndexDir(PathBuf);

/// Whether an entry of the directory of the index with this name is Quarry's own.
pub fn is_index_entry(name: &str) -> bool {
    FILES.contains(&name) || name.parse::<u64>().is_ok()
}

/// Whether this is the directory of an index: one that was built, or that a process has locked.
pub fn is_index(path: &Path) -> bool {
    [CURRENT, WRITER_LOCK]
        .iter()
        .any(|name| path.join(name).is_file())
}

/// A lock, released when it is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct LockGuard(#[allow(dead_code, reason = "held, never read")] File);

impl IndexDir {
    /// Creates the directory if it is missing.
    pub fn open(path: &Path) -> Result<IndexDir, SearchError> {
        file_mode::create_dir(path)?;
        file_mode::restrict(path, is_index_entry);
        Ok(IndexDir(path.to_owned()))
    }

    /// Returns the directory to read it, without creating or changing anything.
    pub fn to_read(path: &Path) -> IndexDir {
        IndexDir(path.to_owned())
    }

    /// Locks the index for searching and writing. Fails when another process has the lock for
    /// longer than a moment.
    pub fn lock_writer(&self) -> Result<LockGuard, SearchError> {
        retry(|| self.try_lock_writer())?
            .ok_or_else(|| SearchError::InUse(self.0.display().to_string()))
    }

    /// Locks the index for searching and writing, unless it is locked at this moment.
    pub fn try_lock_writer(&self) -> Result<Option<LockGuard>, SearchError> {
        self.lock(WRITER_LOCK)
    }

    /// Locks the index for building a generation. Fails when one is being built.
    pub fn lock_builder(&self) -> Result<LockGuard, SearchError> {
        // The directory itself may have been removed.
        file_mode::create_dir(&self.0)?;
        retry(|| self.lock(BUILDER_LOCK))?.ok_or(SearchError::Rebuilding)
    }

    fn lock(&self, name: &str) -> Result<Option<LockGuard>, SearchError> {
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.0.join(name))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(LockGuard(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// Returns the directory of a generation.
    pub fn directory(&self, generation: u64) -> PathBuf {
        self.0.join(generation.to_string())
    }

    /// Returns the current generation; `None` when there is none, or the file is damaged. Fails
    /// when resources are short.
    pub fn current(&self) -> Result<Option<u64>, SearchError> {
        match std::fs::read_to_string(self.0.join(CURRENT)) {
            Ok(text) => Ok(text.trim().parse().ok()),
            Err(error) if is_shortage_kind(&error) => Err(error.into()),
            Err(_) => Ok(None),
        }
    }

    /// Whether file descriptors or disk space are short, by opening and writing as much as a
    /// commit.
    pub fn is_out_of_resources(&self) -> bool {
        let path = self.0.join("PROBE");
        let outcome = self.open_and_write(&path);
        let _ = std::fs::remove_file(&path); // it may not exist
        outcome.is_err_and(|error| is_shortage_kind(&error))
    }

    /// Opens [`PROBED_FILES`] files, and writes [`PROBED_BYTES`] bytes to the file.
    fn open_and_write(&self, path: &Path) -> std::io::Result<()> {
        let mut files = Vec::with_capacity(PROBED_FILES);
        for _ in 0..PROBED_FILES {
            files.push(File::open(&self.0)?);
        }
        std::fs::write(path, vec![0; PROBED_BYTES])
    }

    /// Returns the number of the next generation.
    pub fn next_generation(&self) -> Result<u64, SearchError> {
        Ok(self
            .generations()?
            .into_iter()
            .chain(self.current()?)
            .max()
            .unwrap_or(0)
            + 1)
    }

    /// Sets the current generation.
    pub fn set_current(&self, generation: u64) -> Result<(), SearchError> {
        let path = self.0.join(NEW_CURRENT);
        let mut file = File::create(&path)?;
        writeln!(file, "{generation}")?;
        file.sync_all()?;
        std::fs::rename(path, self.0.join(CURRENT))?;
        File::open(&self.0)?.sync_all()?;
        Ok(())
    }

    /// Removes all other generations, unless one is being built.
    pub fn remove_old(&self, keep: u64) -> Result<(), SearchError> {
        let Some(_building) = self.lock(BUILDER_LOCK)? else {
            return Ok(());
        };
        let current = self.current()?;
        for generation in self.generations()? {
            if generation != keep && Some(generation) != current {
                std::fs::remove_dir_all(self.directory(generation))?;
            }
        }
        Ok(())
    }

    fn generations(&self) -> Result<Vec<u64>, SearchError> {
        let mut generations = Vec::new();
        for entry in std::fs::read_dir(&self.0)? {
            generations.extend(
                entry?
                    .file_name()
                    .to_str()
                    .and_then(|name| name.parse::<u64>().ok()),
            );
        }
        Ok(generations)
    }
}

/// Retries for a second.
fn retry<T>(
    attempt: impl Fn() -> Result<Option<T>, SearchError>,
) -> Result<Option<T>, SearchError> {
    for _ in 0..20 {
        let outcome = attempt()?;
        if outcome.is_some() {
            return Ok(outcome);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(None)
}
