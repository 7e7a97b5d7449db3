//! Where work leaves its outcome when it runs behind a function without type parameters.

use std::sync::{Arc, Mutex, PoisonError};

/// A place for one value, which clones share. A generic function wraps its work into a plain closure
/// that fills a slot, so that all functions below it are compiled once and not for each call.
pub struct Slot<T>(Arc<Mutex<Option<T>>>);

impl<T> Slot<T> {
    /// Stores the value.
    pub fn fill(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    /// Takes the value; `None` when nothing has filled the slot.
    pub fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// An empty slot.
impl<T> Default for Slot<T> {
    fn default() -> Slot<T> {
        Slot(Arc::default())
    }
}

impl<T> Clone for Slot<T> {
    fn clone(&self) -> Slot<T> {
        Slot(Arc::clone(&self.0))
    }
}
