//! The clock of a world, which stands still until a test sets it.

use jiff::Timestamp;
use quarry::domain::clock::Clock;
use std::sync::Mutex;

/// A clock that can be set.
pub struct WorldClock(Mutex<Timestamp>);

impl WorldClock {
    /// Creates a clock at this time.
    pub fn new(time: &str) -> WorldClock {
        WorldClock(Mutex::new(time.parse().unwrap()))
    }

    /// Sets the clock.
    pub fn set(&self, time: &str) {
        *self.0.lock().unwrap() = time.parse().unwrap();
    }
}

impl Clock for WorldClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}
