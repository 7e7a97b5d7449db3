//! Clock and randomness as traits, so that tests can replace them.

use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

/// A source of the current time.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;

    /// Returns the time of a monotonic clock, which nobody sets, to measure delays.
    fn instant(&self) -> Instant {
        Instant::now()
    }
}

/// The system clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(
        clippy::disallowed_methods,
        reason = "the only place that reads the system clock"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A clock that is set to the time of another machine, so that several machines agree.
pub struct AdjustedClock {
    clock: Arc<dyn Clock>,
    /// What is added to the clock, in milliseconds.
    offset: AtomicI64,
}

impl AdjustedClock {
    /// Creates a clock that is not adjusted yet.
    pub fn new(clock: Arc<dyn Clock>) -> AdjustedClock {
        AdjustedClock {
            clock,
            offset: AtomicI64::new(0),
        }
    }

    /// Sets what is added to the clock. Less than a second is left as it is, so that the time does
    /// not jump with every comparison. Returns whether it was changed.
    pub fn adjust(&self, offset: SignedDuration) -> bool {
        let offset = i64::try_from(offset.as_millis()).unwrap_or_default();
        let changes = (offset - self.offset.load(Ordering::Relaxed)).abs() >= 1000;
        if changes {
            self.offset.store(offset, Ordering::Relaxed);
        }
        changes
    }
}

impl Clock for AdjustedClock {
    fn now(&self) -> Timestamp {
        let offset = SignedDuration::from_millis(self.offset.load(Ordering::Relaxed));
        let now = self.clock.now();
        now.checked_add(offset).unwrap_or(now)
    }

    fn instant(&self) -> Instant {
        self.clock.instant()
    }
}

/// A clock with a fixed time, for tests.
pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// A source of random bytes.
pub trait Entropy: Send + Sync {
    /// Fills `bytes` with random bytes.
    fn fill(&self, bytes: &mut [u8]);
}

/// The random number generator of the system.
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[allow(
        clippy::disallowed_methods,
        reason = "the only place that uses the random number generator"
    )]
    fn fill(&self, bytes: &mut [u8]) {
        use rand::Rng;
        rand::rng().fill_bytes(bytes);
    }
}

/// Returns a new secret of 40 hexadecimal digits, the format of Redmine's API keys (compatibility
/// 4).
pub fn fresh_key(entropy: &dyn Entropy) -> String {
    let mut bytes = [0u8; 20];
    entropy.fill(&mut bytes);
    hex::encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_is_adjusted_by_differences_of_a_second_or_more() {
        let time: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let clock = AdjustedClock::new(Arc::new(FixedClock(time)));
        assert_eq!(clock.now(), time);
        assert!(!clock.adjust(SignedDuration::from_millis(-999)));
        assert_eq!(clock.now(), time);
        assert!(clock.adjust(SignedDuration::from_secs(3600)));
        assert!(!clock.adjust(SignedDuration::from_millis(3_599_500)));
        assert_eq!(clock.now(), time + SignedDuration::from_secs(3600));
        assert!(clock.adjust(SignedDuration::from_secs(-3600)));
        assert_eq!(clock.now(), time - SignedDuration::from_secs(3600));
    }
}
