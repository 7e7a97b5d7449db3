//! Waiting for other processes and threads.

use std::time::{Duration, Instant};

/// How long a process may take to do what is expected of it.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// Polls until a condition is true; panics with `what` after the timeout.
#[track_caller]
pub fn until(timeout: Duration, what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < timeout, "timed out waiting until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
