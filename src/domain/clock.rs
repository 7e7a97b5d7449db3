//! Clock and randomness as traits, so that tests can replace them.

use jiff::Timestamp;

/// A source of the current time.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
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
