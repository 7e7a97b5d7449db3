//! Stops the statements of a connection when their time is up.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// How many virtual machine instructions of the engine run between two looks at the clock: well under a millisecond.
pub const INSTRUCTIONS_PER_CHECK: i32 = 4000;

/// The time at which the statements of one connection are stopped; none at first. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Deadline(Arc<Mutex<Option<Instant>>>);

impl Deadline {
    /// Sets or removes the time.
    pub fn set(&self, deadline: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = deadline;
    }

    /// The time, if there is one.
    pub fn get(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the time is up.
    pub fn is_over(&self) -> bool {
        self.get().is_some_and(|deadline| Instant::now() >= deadline)
    }
}
