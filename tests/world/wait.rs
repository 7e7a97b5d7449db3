//! Waiting for other processes and threads.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a process may take to do what is expected of it.
pub const TIMEOUT: Duration = Duration::from_secs(120);

/// Polls until a condition is true; panics with `what` after the timeout.
#[track_caller]
pub fn until(timeout: Duration, what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < timeout, "timed out waiting until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Removes a directory in which a running service may still create files.
#[track_caller]
pub fn until_removed(folder: &Path) {
    until(
        TIMEOUT,
        "the directory is removed",
        || match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() == std::io::ErrorKind::DirectoryNotEmpty => false,
            outcome => {
                outcome.unwrap();
                true
            }
        },
    );
}

/// Sets a flag when it is dropped, so that threads that look at it also end if a test panics.
pub struct SetOnDrop<'f>(pub &'f AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
