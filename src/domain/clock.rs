//! Time and chance, as parameters: what is handed in can be held still in a test.

use jiff::Timestamp;
use jiff::civil::Date;

/// Says what time it is.
pub trait Clock: Send + Sync {
    /// The present instant.
    fn now(&self) -> Timestamp;

    /// Today's date in UTC.
    fn today(&self) -> Date {
        self.now().to_zoned(jiff::tz::TimeZone::UTC).date()
    }
}

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A clock that stands still, for tests and replays.
pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// Gives bytes that nobody can guess.
pub trait Entropy: Send + Sync {
    /// Fills `bytes` with random bytes.
    fn fill(&self, bytes: &mut [u8]);
}

/// The machine's random source.
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[allow(clippy::disallowed_methods, reason = "the one place that draws from the machine's random source")]
    fn fill(&self, bytes: &mut [u8]) {
        use rand::Rng;
        rand::rng().fill_bytes(bytes);
    }
}

/// A fresh secret of 40 hexadecimal digits: the shape of Redmine's API keys (contract 9).
pub fn fresh_key(entropy: &dyn Entropy) -> String {
    let mut bytes = [0u8; 20];
    entropy.fill(&mut bytes);
    hex::encode(bytes)
}
