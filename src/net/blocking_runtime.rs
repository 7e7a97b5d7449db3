//! Runs asynchronous steps of a client on the calling thread, with deadlines.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio::net::{TcpStream, lookup_host};
use tokio::runtime::{Builder, Runtime};
use tokio::time;

/// Time between checks whether the service still runs.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Why a step ended before the server had answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Interruption {
    /// The deadline has passed.
    #[error("the server did not answer in time")]
    Timeout,
    /// The service stops.
    #[error("the service is stopped")]
    Stop,
}

/// Runs the steps of a client, such as a login, on the thread that calls it.
pub struct BlockingRuntime {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl BlockingRuntime {
    /// Creates a runtime. Fails when the operating system has no files left.
    pub fn new() -> io::Result<BlockingRuntime> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(BlockingRuntime {
            runtime: Some(runtime),
        })
    }

    /// Runs a step to its end, at most for `timeout`, and while `is_running` returns true.
    ///
    /// # Errors
    /// Those of the step, and an [`Interruption`] when it was ended. Its connection must not be used
    /// afterwards: the answer may still arrive.
    pub fn run<T, E: From<io::Error> + From<Interruption>>(
        &self,
        timeout: Duration,
        is_running: &dyn Fn() -> bool,
        step: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let Some(runtime) = &self.runtime else {
            return Err(io::Error::from(io::ErrorKind::NotConnected).into());
        };
        runtime.block_on(async {
            let mut step = pin!(step);
            let start = Instant::now();
            loop {
                let wait = CHECK_INTERVAL.min(timeout.saturating_sub(start.elapsed()));
                if let Ok(outcome) = time::timeout(wait, step.as_mut()).await {
                    return outcome;
                }
                if start.elapsed() >= timeout {
                    return Err(Interruption::Timeout.into());
                }
                if !is_running() {
                    return Err(Interruption::Stop.into());
                }
            }
        })
    }
}

impl Drop for BlockingRuntime {
    fn drop(&mut self) {
        // A name that is still being resolved must not delay the end.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Connects to the first address of a host that accepts. All attempts together take at most `timeout`.
///
/// # Errors
/// That of the last address.
pub async fn connect(host: &str, port: u16, timeout: Duration) -> io::Result<TcpStream> {
    let late = || io::Error::new(io::ErrorKind::TimedOut, Interruption::Timeout);
    let start = Instant::now();
    let addresses = time::timeout(timeout, lookup_host((host, port)));
    let addresses: Vec<_> = addresses.await.map_err(|_| late())??.collect();
    let mut outcome = Err(io::Error::new(
        io::ErrorKind::NotFound,
        "the name of the server has no address",
    ));
    for (tried, address) in addresses.iter().enumerate() {
        let remaining = u32::try_from(addresses.len() - tried).unwrap_or(u32::MAX);
        let share = timeout.saturating_sub(start.elapsed()) / remaining;
        outcome = time::timeout(share, TcpStream::connect(address))
            .await
            .unwrap_or_else(|_| Err(late()));
        if outcome.is_ok() {
            break;
        }
    }
    let stream = outcome?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::future::pending;

    #[derive(Debug, PartialEq, Eq)]
    enum StepError {
        Io,
        Interrupted(Interruption),
    }

    impl From<io::Error> for StepError {
        fn from(_: io::Error) -> StepError {
            StepError::Io
        }
    }

    impl From<Interruption> for StepError {
        fn from(interruption: Interruption) -> StepError {
            StepError::Interrupted(interruption)
        }
    }

    #[test]
    fn step_ends_at_its_deadline() {
        let runtime = BlockingRuntime::new().unwrap();
        let start = Instant::now();
        let timeout = Duration::from_millis(30);
        let outcome = runtime.run::<(), StepError>(timeout, &|| true, pending());
        let expected = StepError::Interrupted(Interruption::Timeout);
        assert_eq!(outcome, Err(expected));
        assert!(start.elapsed() >= timeout);
    }

    #[test]
    fn step_ends_soon_after_the_stop() {
        let runtime = BlockingRuntime::new().unwrap();
        let start = Instant::now();
        let checks = Cell::new(0);
        let is_running = || checks.replace(checks.get() + 1) < 2;
        let timeout = Duration::from_secs(60);
        let outcome = runtime.run::<(), StepError>(timeout, &is_running, pending());
        let expected = StepError::Interrupted(Interruption::Stop);
        assert_eq!(outcome, Err(expected));
        assert!(start.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn outcome_of_a_step_that_ends_in_time_is_returned() {
        let runtime = BlockingRuntime::new().unwrap();
        let step = async { Ok::<_, StepError>(7) };
        let outcome = runtime.run(Duration::from_secs(1), &|| false, step);
        assert_eq!(outcome, Ok(7));
    }
}
