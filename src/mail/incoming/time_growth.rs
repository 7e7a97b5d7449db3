//! How the time of a function grows with the length of its input, for tests.

use std::time::{Duration, Instant};

/// Length in bytes of the shorter input.
const LENGTH: usize = 5_000;
/// Number of times that the longer input is as long as the shorter one.
const FACTOR: usize = 64;
/// Maximum factor of the times. Linear time has 64, and up to 400 while other programs interrupt the
/// longer run more often; quadratic time has 4,096.
const MAX_GROWTH: f64 = 1_500.0;
/// Number of measurements, of which the fastest counts.
const ROUNDS: usize = 3;
/// Number of attempts, of which one must succeed: other programs take time, too.
const ATTEMPTS: usize = 10;

/// Panics if a function needs more than linear time for repetitions of `part`.
#[track_caller]
pub fn assert_linear_time(part: &str, act: impl Fn(&str)) {
    let short = part.repeat(LENGTH / part.len());
    let long = short.repeat(FACTOR);
    let growths = (0..ATTEMPTS).map(|_| {
        let short_time = fastest(|| act(&short));
        fastest(|| act(&long)).as_secs_f64() / short_time.as_secs_f64()
    });
    let mut growths = growths.inspect(|growth| println!("{part:?}: {growth:.1} times"));
    assert!(
        growths.any(|growth| growth < MAX_GROWTH),
        "{part:?}: the time is not linear"
    );
}

fn fastest(act: impl Fn()) -> Duration {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        act();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}
