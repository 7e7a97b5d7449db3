//! The Tokio runtime of a connection.

use crate::engine::{OpenError, StatementError};
use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};

/// The Tokio runtime of one connection. Its tasks run only within [`OwnRuntime::block_on`].
pub(super) struct OwnRuntime(
    /// `None` only while this is dropped.
    Option<Runtime>,
);

impl OwnRuntime {
    /// Creates a runtime without threads.
    pub fn new() -> Result<OwnRuntime, OpenError> {
        Builder::new_current_thread()
            .enable_all()
            .build()
            .map(|runtime| OwnRuntime(Some(runtime)))
            .map_err(|error| OpenError::Unavailable(error.to_string()))
    }

    /// Runs a future in this thread. If that is a worker of another runtime, it is left to this
    /// future with `block_in_place`, because Tokio forbids `block_on` within a task.
    pub fn block_on<T, E>(&self, future: impl Future<Output = Result<T, E>>) -> Result<T, E>
    where
        E: From<StatementError>,
    {
        let Some(runtime) = &self.0 else {
            return Err(StatementError::Unavailable("the connection is closed".to_owned()).into());
        };
        let is_worker = Handle::try_current()
            .is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread);
        if is_worker {
            tokio::task::block_in_place(|| runtime.block_on(future))
        } else {
            runtime.block_on(future)
        }
    }
}

impl Drop for OwnRuntime {
    fn drop(&mut self) {
        // Waiting for its tasks would panic in a worker of another runtime. Dropping the task that
        // owns the socket closes it.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
