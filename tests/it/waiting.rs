//! Waiting for what another process or thread does.

use std::time::{Duration, Instant};

/// How long a process may take to do what is expected of it.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until something holds, so long at most.
#[track_caller]
pub fn until(patience: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < patience, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
