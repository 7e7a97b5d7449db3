//! The last change: of this process, of others, and waiting for the next one.

use crate::Store;
use crate::transaction::changes;
use std::time::Duration;

impl Store {
    /// Returns the sequence number of the last change that this process has committed or read.
    pub fn last_change(&self) -> i64 {
        self.shared.last_change()
    }

    /// Returns the last change of another process that this one has seen, such as of another node.
    pub fn others_change(&self) -> i64 {
        self.shared.others_change()
    }

    /// Waits at most `timeout` for a change after `seen`. Returns the sequence number of the last
    /// change. Changes by other processes are noticed only at the timeout.
    pub fn wait_for_change(&self, seen: i64, timeout: Duration) -> i64 {
        if let Some(last) = self.shared.wait_for_change(seen, timeout) {
            return last;
        }
        // A read publishes the last change.
        match self.read(|db| changes::last(db)) {
            Err(error) if !error.is_unavailable() => {
                tracing::warn!(error = %error, "the last change could not be read");
            }
            _ => {}
        }
        self.last_change()
    }
}
