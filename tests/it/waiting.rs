//! Waiting for what another process or thread does.

use std::time::{Duration, Instant};

/// How long what is expected may take, on a machine that does much else as well: it ends what hangs, and measures nothing.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until something holds.
#[track_caller]
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
