//! Conversations with servers on the calling thread, with deadlines.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio::net::{TcpStream, lookup_host};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

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

/// Runs the steps of a conversation with a server.
pub struct Conversation {
    /// `None` only while the conversation is dropped.
    runtime: Option<Runtime>,
}

impl Conversation {
    /// Creates a conversation, without connecting. Fails when the operating system has no files left.
    pub fn new() -> io::Result<Conversation> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Conversation {
            runtime: Some(runtime),
        })
    }

    /// Runs a step to its end, at most for `time`, and while `is_running` returns true.
    ///
    /// # Errors
    /// Those of the step, and an [`Interruption`] when it was ended. Its connection must not be used
    /// afterwards: the answer may still arrive.
    pub fn run<T, E: From<io::Error> + From<Interruption>>(
        &self,
        time: Duration,
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
                let wait = CHECK_INTERVAL.min(time.saturating_sub(start.elapsed()));
                if let Ok(outcome) = timeout(wait, step.as_mut()).await {
                    return outcome;
                }
                if start.elapsed() >= time {
                    return Err(Interruption::Timeout.into());
                }
                if !is_running() {
                    return Err(Interruption::Stop.into());
                }
            }
        })
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // A name that is still being resolved must not delay the end.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Connects to the first address of a host that accepts. All attempts together take at most `time`.
///
/// # Errors
/// That of the last address.
pub async fn connect(host: &str, port: u16, time: Duration) -> io::Result<TcpStream> {
    let late = || io::Error::new(io::ErrorKind::TimedOut, Interruption::Timeout);
    let start = Instant::now();
    let addresses = timeout(time, lookup_host((host, port)));
    let addresses: Vec<_> = addresses.await.map_err(|_| late())??.collect();
    let mut outcome = Err(io::Error::new(
        io::ErrorKind::NotFound,
        "the name of the server has no address",
    ));
    for (tried, address) in addresses.iter().enumerate() {
        let remaining = u32::try_from(addresses.len() - tried).unwrap_or(u32::MAX);
        let share = time.saturating_sub(start.elapsed()) / remaining;
        outcome = timeout(share, TcpStream::connect(address))
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
        let conversation = Conversation::new().unwrap();
        let start = Instant::now();
        let time = Duration::from_millis(30);
        let outcome = conversation.run::<(), StepError>(time, &|| true, pending());
        let expected = StepError::Interrupted(Interruption::Timeout);
        assert_eq!(outcome, Err(expected));
        assert!(start.elapsed() >= time);
    }

    #[test]
    fn step_ends_soon_after_the_stop() {
        let conversation = Conversation::new().unwrap();
        let start = Instant::now();
        let checks = Cell::new(0);
        let is_running = || checks.replace(checks.get() + 1) < 2;
        let time = Duration::from_secs(60);
        let outcome = conversation.run::<(), StepError>(time, &is_running, pending());
        let expected = StepError::Interrupted(Interruption::Stop);
        assert_eq!(outcome, Err(expected));
        assert!(start.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn outcome_of_a_step_that_ends_in_time_is_returned() {
        let conversation = Conversation::new().unwrap();
        let step = async { Ok::<_, StepError>(7) };
        let outcome = conversation.run(Duration::from_secs(1), &|| false, step);
        assert_eq!(outcome, Ok(7));
    }
}
