//! Logs when the server becomes unavailable and available again.

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// An outage that begins so soon after the last one belongs to it: a server that crashes or starts
/// may accept some connections in between.
const RELAPSE: Duration = Duration::from_secs(1);

/// Whether the server is unavailable. Logs each change once, however many requests fail meanwhile,
/// and each outage with its relapses once as an error.
#[derive(Default)]
pub(super) struct Outage(Mutex<State>);

#[derive(Default)]
struct State {
    is_unavailable: bool,
    /// How often the server has become unavailable.
    count: u64,
    /// When the last outage ended.
    ended: Option<Instant>,
}

/// The number of outages when an attempt to connect starts.
#[derive(Clone, Copy)]
pub(super) struct AttemptStart(u64);

/// What [`Outage::begin`] logs.
#[derive(Debug, PartialEq, Eq)]
enum Beginning {
    Outage,
    Relapse,
    /// Nothing: the outage goes on.
    Known,
}

impl Outage {
    /// Returns the state for an attempt to connect that starts now.
    pub fn start_attempt(&self) -> AttemptStart {
        AttemptStart(self.lock().count)
    }

    /// Records that no connection could be opened.
    pub fn begin(&self, problem: &dyn Display) {
        match self.record_failure() {
            Beginning::Outage => {
                tracing::error!(error = %problem, "the database server is not available; requests fail with 503 until it is")
            }
            Beginning::Relapse => {
                tracing::warn!(error = %problem, "the database server is unavailable again")
            }
            Beginning::Known => {}
        }
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "the time between outages is real time, not the time of records"
    )]
    fn record_failure(&self) -> Beginning {
        let mut state = self.lock();
        if state.is_unavailable {
            return Beginning::Known;
        }
        state.is_unavailable = true;
        state.count += 1;
        match state.ended {
            Some(ended) if ended.elapsed() < RELAPSE => Beginning::Relapse,
            _ => Beginning::Outage,
        }
    }

    /// Records that a connection was opened.
    pub fn end(&self, name: &str, start: AttemptStart) {
        if self.record_success(start) {
            tracing::info!(store = name, "the database server is available again");
        }
    }

    /// Ends the outage, and returns whether there was one. An attempt that started before it proves
    /// nothing: it may have succeeded just before.
    #[allow(
        clippy::disallowed_methods,
        reason = "the time between outages is real time, not the time of records"
    )]
    fn record_success(&self, start: AttemptStart) -> bool {
        let mut state = self.lock();
        let ends = state.is_unavailable && state.count == start.0;
        if ends {
            state.is_unavailable = false;
            state.ended = Some(Instant::now());
        }
        ends
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempt_from_before_an_outage_does_not_end_it() {
        let outage = Outage::default();
        let before = outage.start_attempt();
        assert_eq!(outage.record_failure(), Beginning::Outage);
        assert!(!outage.record_success(before));
        assert_eq!(outage.record_failure(), Beginning::Known);
        let during = outage.start_attempt();
        assert!(outage.record_success(during));
        assert!(!outage.record_success(during), "it ends once");
    }

    #[test]
    fn outage_soon_after_another_is_a_relapse() {
        let outage = Outage::default();
        outage.record_failure();
        outage.record_success(outage.start_attempt());
        assert_eq!(outage.record_failure(), Beginning::Relapse);
        outage.record_success(outage.start_attempt());
        let long_ago = outage
            .lock()
            .ended
            .and_then(|ended| ended.checked_sub(RELAPSE));
        outage.lock().ended = long_ago;
        assert_eq!(outage.record_failure(), Beginning::Outage);
    }
}
