//! How long a question may take. Whatever goes over many documents or terms asks now and then whether the time is up. The time is known
//! to the thread that answers.

use std::cell::Cell;
use std::time::{Duration, Instant};
use tantivy::TantivyError;

/// How many documents or terms are gone over from one look at the clock to the next.
const STRIDE: u32 = 1024;
/// What the engine is told when the time is up.
const SPENT: &str = "the time for the question is up";

thread_local! {
    static UNTIL: Cell<Option<Instant>> = const { Cell::new(None) };
    static REQUEST_DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Runs work whose searches in this thread end at the deadline of the request, even if they could take longer by themselves.
pub fn with_request_deadline<T>(deadline: Option<Instant>, work: impl FnOnce() -> T) -> T {
    struct Reset;
    impl Drop for Reset {
        fn drop(&mut self) {
            REQUEST_DEADLINE.set(None);
        }
    }
    let _reset = Reset;
    REQUEST_DEADLINE.set(deadline);
    work()
}

/// Whether the deadline of the request has passed.
#[allow(clippy::disallowed_methods, reason = "how long a response takes is real time, not the time of records")]
pub(super) fn is_request_over() -> bool {
    REQUEST_DEADLINE.get().is_some_and(|deadline| Instant::now() >= deadline)
}

/// The time of one question runs until this is dropped.
pub(super) struct Patience(());

impl Patience {
    /// Begins it in this thread.
    #[allow(clippy::disallowed_methods, reason = "how long an answer takes is real time, not the time of records")]
    pub fn begin(limit: Duration) -> Patience {
        let own = Instant::now().checked_add(limit);
        UNTIL.set(match (own, REQUEST_DEADLINE.get()) {
            (Some(own), Some(request)) => Some(own.min(request)),
            (own, request) => own.or(request),
        });
        Patience(())
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        UNTIL.set(None);
    }
}

/// Looks at the clock once in a while.
#[derive(Debug, Default)]
pub(super) struct Clock {
    steps: u32,
}

impl Clock {
    /// One step more. Fails when the time is up.
    #[inline]
    pub fn step(&mut self) -> tantivy::Result<()> {
        let look = self.steps.is_multiple_of(STRIDE);
        self.steps = self.steps.wrapping_add(1);
        if look { look_up() } else { Ok(()) }
    }
}

#[allow(clippy::disallowed_methods, reason = "how long an answer takes is real time, not the time of records")]
fn look_up() -> tantivy::Result<()> {
    match UNTIL.get() {
        Some(until) if Instant::now() >= until => Err(TantivyError::InternalError(SPENT.to_owned())),
        _ => Ok(()),
    }
}

/// Whether an error says that the time is up.
pub(super) fn is_spent(error: &TantivyError) -> bool {
    matches!(error, TantivyError::InternalError(text) if text == SPENT)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the message")]
mod tests {
    use super::*;

    #[test]
    fn search_ends_with_its_request() {
        let long = Duration::from_secs(3600);
        let step = |deadline| {
            with_request_deadline(deadline, || {
                let _patience = Patience::begin(long);
                (Clock::default().step().is_ok(), is_request_over())
            })
        };
        let now = Instant::now();
        assert_eq!([step(None), step(Some(now + long)), step(Some(now))], [(true, false), (true, false), (false, true)]);
        assert!(!is_request_over(), "the next request has a deadline of its own");
    }

    #[test]
    fn the_time_of_a_question_ends_with_it() {
        let mut clock = Clock::default();
        let patience = Patience::begin(Duration::ZERO);
        assert!(is_spent(&clock.step().unwrap_err()));
        assert!((1..STRIDE).all(|_| clock.step().is_ok()), "the clock is looked at once in a while");
        assert!(is_spent(&clock.step().unwrap_err()));
        drop(patience);
        assert!(Clock::default().step().is_ok());
        let _patience = Patience::begin(Duration::from_secs(3600));
        assert!(Clock::default().step().is_ok());
    }
}
