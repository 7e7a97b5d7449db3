//! The deadline of the statements of a connection.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Instructions of SQLite's virtual machine between two checks of the clock: well under a
/// millisecond.
pub const INSTRUCTIONS_PER_CHECK: i32 = 4000;

/// The deadline of one connection; `None` at first. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Deadline(Arc<Mutex<Option<Instant>>>);

impl Deadline {
    /// Sets or removes the deadline.
    pub fn set(&self, deadline: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = deadline;
    }

    /// Returns the deadline, if one is set.
    pub fn get(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the deadline has passed.
    pub fn has_passed(&self) -> bool {
        self.get()
            .is_some_and(|deadline| Instant::now() >= deadline)
    }
}
