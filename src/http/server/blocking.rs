//! Blocking work on a thread of the runtime.

use crate::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs blocking work in place, while the runtime moves the other tasks of this thread elsewhere.
/// Fails with [`Error::Internal`] when the work panics.
pub fn run_blocking<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    tokio::task::block_in_place(|| {
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Error::from_panic(panic)))
    })
}
