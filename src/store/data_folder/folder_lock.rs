//! The lock of a data folder. The process that serves the folder holds it; others can check whether
//! it is held.
//!
//! The folder itself is locked, because a lock file could be removed while the service runs. The
//! lock ends with its process.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

/// Number of attempts to acquire the lock. Commands hold it for a moment when they check whether a
/// service runs.
const MAX_ATTEMPTS: usize = 20;
/// Time between two attempts.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// The lock of a data folder, released when it is dropped or the process ends.
#[derive(Debug)]
pub struct FolderLock(#[allow(dead_code, reason = "held, never read")] File);

impl FolderLock {
    /// Locks the folder, which must exist. Returns `None` when it stays locked for a second.
    pub fn acquire(folder: &Path) -> io::Result<Option<FolderLock>> {
        let file = File::open(folder)?;
        for _ in 0..MAX_ATTEMPTS {
            match file.try_lock() {
                Ok(()) => return Ok(Some(FolderLock(file))),
                Err(TryLockError::WouldBlock) => std::thread::sleep(RETRY_DELAY),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Whether a process holds the lock. Creates nothing.
    pub fn is_held(folder: &Path) -> bool {
        File::open(folder)
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::FolderLock;

    #[test]
    fn folder_is_locked_once_without_a_lock_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert!(!FolderLock::is_held(path) && !FolderLock::is_held(&path.join("missing")));
        let lock = FolderLock::acquire(path).unwrap();
        assert!(lock.is_some() && FolderLock::is_held(path));
        assert_eq!(
            std::fs::read_dir(path).unwrap().count(),
            0,
            "there is no file that could be removed"
        );
        assert!(FolderLock::acquire(path).unwrap().is_none());
        drop(lock);
        assert!(!FolderLock::is_held(path) && FolderLock::acquire(path).unwrap().is_some());
    }
}
