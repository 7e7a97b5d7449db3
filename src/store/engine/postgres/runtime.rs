//! The runtime of a connection.

use crate::engine::{OpenError, StatementError};
use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};

/// The runtime of a connection. Its tasks run only in calls of [`OwnRuntime::block_on`].
pub(super) struct OwnRuntime(
    /// `None` only while it is dropped.
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

    /// Runs a future in this thread. When that is a worker of another runtime, its other tasks go
    /// on elsewhere meanwhile: a runtime cannot start within a task of another one.
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
        // Waiting for its tasks would panic in a worker of another runtime. The socket is closed
        // with the task that owns it.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
