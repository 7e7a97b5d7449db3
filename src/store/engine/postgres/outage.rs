//! Logs when the server becomes unavailable and available again.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the server is unavailable. Logs each change once, however many requests fail meanwhile.
#[derive(Default)]
pub(super) struct Outage(AtomicBool);

impl Outage {
    /// Records that no connection could be opened.
    pub fn begin(&self, problem: &dyn Display) {
        if !self.0.swap(true, Ordering::AcqRel) {
            tracing::error!(error = %problem, "the database server is not available; requests fail with 503 until it is");
        }
    }

    /// Records that a connection was opened.
    pub fn end(&self, name: &str) {
        if self.0.load(Ordering::Acquire) && self.0.swap(false, Ordering::AcqRel) {
            tracing::info!(store = name, "the database server is available again");
        }
    }
}
