//! Time limit of searches. Loops over documents or terms check the deadline, which is kept per
//! thread.

use std::cell::Cell;
use std::time::{Duration, Instant};
use tantivy::TantivyError;

/// Number of ticks between two looks at the clock.
const CHECK_INTERVAL: u32 = 1024;
/// The message of the error that tantivy passes on when the deadline has passed.
const TIMEOUT_MESSAGE: &str = "the search has passed its deadline";

thread_local! {
    static SEARCH_DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    static REQUEST_DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Runs work whose searches in this thread end at the deadline of the request, even if they could
/// take longer by themselves.
pub fn with_request_deadline(deadline: Option<Instant>, work: impl FnOnce()) {
    struct Reset;
    impl Drop for Reset {
        fn drop(&mut self) {
            REQUEST_DEADLINE.set(None);
        }
    }
    let _reset = Reset;
    REQUEST_DEADLINE.set(deadline);
    work();
}

/// Whether the deadline of the request has passed.
#[allow(
    clippy::disallowed_methods,
    reason = "how long a response takes is real time, not the time of records"
)]
pub(crate) fn is_request_over() -> bool {
    REQUEST_DEADLINE
        .get()
        .is_some_and(|deadline| Instant::now() >= deadline)
}

/// Keeps the deadline of a search until it is dropped.
pub(crate) struct DeadlineGuard(());

impl DeadlineGuard {
    /// Starts a search in this thread that may take as long as `timeout`, and no longer than its
    /// request.
    #[allow(
        clippy::disallowed_methods,
        reason = "how long a search takes is real time, not the time of records"
    )]
    pub fn start(timeout: Duration) -> DeadlineGuard {
        let own = Instant::now().checked_add(timeout);
        SEARCH_DEADLINE.set(match (own, REQUEST_DEADLINE.get()) {
            (Some(own), Some(request)) => Some(own.min(request)),
            (own, request) => own.or(request),
        });
        DeadlineGuard(())
    }
}

impl Drop for DeadlineGuard {
    fn drop(&mut self) {
        SEARCH_DEADLINE.set(None);
    }
}

/// Checks the deadline of the search in a loop.
#[derive(Debug, Default)]
pub(crate) struct DeadlineCheck {
    ticks: u32,
}

impl DeadlineCheck {
    /// Counts one document or term. Fails if the deadline has passed, which is checked every
    /// [`CHECK_INTERVAL`] ticks.
    #[inline]
    pub fn tick(&mut self) -> tantivy::Result<()> {
        let is_due = self.ticks.is_multiple_of(CHECK_INTERVAL);
        self.ticks = self.ticks.wrapping_add(1);
        if is_due { check_deadline() } else { Ok(()) }
    }
}

/// Fails if the deadline has passed. Reads the clock, so it is for larger pieces of work.
#[allow(
    clippy::disallowed_methods,
    reason = "how long a search takes is real time, not the time of records"
)]
pub(crate) fn check_deadline() -> tantivy::Result<()> {
    match SEARCH_DEADLINE.get() {
        Some(deadline) if Instant::now() >= deadline => {
            Err(TantivyError::InternalError(TIMEOUT_MESSAGE.to_owned()))
        }
        _ => Ok(()),
    }
}

/// Whether the error means that the deadline has passed.
pub(crate) fn is_timeout(error: &TantivyError) -> bool {
    matches!(error, TantivyError::InternalError(message) if message == TIMEOUT_MESSAGE)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn search_stops_at_the_deadline_of_its_request() {
        let now = Instant::now();
        for (deadline, may_continue) in [(None, true), (Some(now + HOUR), true), (Some(now), false)]
        {
            with_request_deadline(deadline, || {
                let _guard = DeadlineGuard::start(HOUR);
                assert_eq!(DeadlineCheck::default().tick().is_ok(), may_continue);
                assert_eq!(is_request_over(), !may_continue);
            });
        }
        assert!(!is_request_over(), "the next request has its own deadline");
    }

    #[test]
    fn deadline_is_cleared_with_its_guard() {
        let mut deadline = DeadlineCheck::default();
        let guard = DeadlineGuard::start(Duration::ZERO);
        assert!(is_timeout(&deadline.tick().unwrap_err()));
        assert!(
            (1..CHECK_INTERVAL).all(|_| deadline.tick().is_ok()),
            "the clock is read only once per interval"
        );
        assert!(is_timeout(&deadline.tick().unwrap_err()));
        drop(guard);
        assert!(DeadlineCheck::default().tick().is_ok());
        let _guard = DeadlineGuard::start(Duration::from_secs(3600));
        assert!(DeadlineCheck::default().tick().is_ok());
    }
}
