//! The clock of a world, which stands still until a test sets it.

use jiff::Timestamp;
use quarry::domain::clock::Clock;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A clock that can be set.
pub struct WorldClock(Mutex<Time>);

struct Time {
    now: Timestamp,
    instant: Instant,
}

impl WorldClock {
    /// Creates a clock at this time.
    pub fn new(time: &str) -> WorldClock {
        WorldClock(Mutex::new(Time {
            now: time.parse().unwrap(),
            instant: Instant::now(),
        }))
    }

    /// Sets the clock, as an administrator does.
    pub fn set(&self, time: &str) {
        self.0.lock().unwrap().now = time.parse().unwrap();
    }

    /// Lets time pass.
    pub fn pass(&self, duration: Duration) {
        let mut time = self.0.lock().unwrap();
        time.now += duration;
        time.instant += duration;
    }
}

impl Clock for WorldClock {
    fn now(&self) -> Timestamp {
        self.0.lock().unwrap().now
    }

    fn instant(&self) -> Instant {
        self.0.lock().unwrap().instant
    }
}
