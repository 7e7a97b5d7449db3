//! Blocking work on a thread of the runtime.

use super::request_scope;
use crate::error::Error;
use quarry_store::measure_statements;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs blocking work in place, while the runtime moves the other tasks of this thread elsewhere.
/// The times of its statements are added to those of the request. Fails with [`Error::Internal`] when
/// the work panics.
pub fn run_blocking<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let (outcome, times) =
        measure_statements(|| tokio::task::block_in_place(|| catch_unwind(AssertUnwindSafe(work))));
    request_scope::add_statements(times);
    outcome.unwrap_or_else(|panic| Err(Error::from_panic(panic)))
}
