//! The metrics of the writer.

use metrics::{counter, gauge, histogram};
use std::time::Instant;

/// A write that waits for the writer; counted until it is dropped.
pub struct QueuedWrite;

impl QueuedWrite {
    /// Counts a write.
    pub fn new() -> QueuedWrite {
        gauge!("quarry_store_write_queue").increment(1.0);
        QueuedWrite
    }
}

impl Drop for QueuedWrite {
    fn drop(&mut self) {
        gauge!("quarry_store_write_queue").decrement(1.0);
    }
}

/// Records a write that has ended.
pub fn record_write(start: Instant, is_committed: bool) {
    let outcome = if is_committed { "committed" } else { "failed" };
    counter!("quarry_store_writes_total", "outcome" => outcome).increment(1);
    histogram!("quarry_store_write_duration_seconds").record(start.elapsed());
}

/// Records a group of writes that has ended.
pub fn record_group(writes: usize) {
    histogram!("quarry_store_write_group_size").record(u32::try_from(writes).unwrap_or(u32::MAX));
}
