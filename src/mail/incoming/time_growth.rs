//! How the time of a function grows with the length of its input, for tests.

use std::time::{Duration, Instant};

/// Length in bytes of the shorter input.
const LENGTH: usize = 40_000;
/// Number of times that the longer input is as long as the shorter one.
const FACTOR: usize = 4;
/// Maximum factor of the times: in between that of linear and of quadratic time, which are 4 and 16.
const MAX_GROWTH: f64 = 9.0;
/// Number of measurements, of which the fastest counts.
const ROUNDS: usize = 7;

/// Panics if a function needs more than linear time for repetitions of `part`.
#[track_caller]
pub fn assert_linear_time(part: &str, act: impl Fn(&str)) {
    let short = part.repeat(LENGTH / part.len());
    let long = short.repeat(FACTOR);
    let short_time = fastest(|| act(&short));
    let long_time = fastest(|| act(&long));
    let growth = long_time.as_secs_f64() / short_time.as_secs_f64();
    assert!(
        growth < MAX_GROWTH,
        "{part:?}: {short_time:?} for {LENGTH} bytes, {growth:.1} times that for {FACTOR} times as many"
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
