//! How long searches took in the last hour: one histogram for each minute.
//!
//! A request records its duration under a lock that is held for a few nanoseconds; nothing else is
//! kept of it.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Number of minutes that are kept.
pub const MINUTES: usize = 60;
/// Number of buckets of a histogram: four for each power of two in microseconds, up to 67 seconds.
const BUCKETS: usize = 104;

/// The durations of the last hour.
pub struct LatencyHistory {
    start: Instant,
    minutes: Mutex<Vec<Minute>>,
}

/// The durations of one minute.
#[derive(Clone)]
struct Minute {
    /// The number of the minute since the start of the service.
    number: u64,
    histogram: [u32; BUCKETS],
    max: Duration,
}

/// A summary of durations. Median and 95th percentile are at most a quarter too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LatencySummary {
    /// How many there were.
    pub count: u64,
    pub median: Duration,
    /// 95 % took at most this long.
    pub p95: Duration,
    /// The longest.
    pub max: Duration,
}

impl Default for LatencyHistory {
    fn default() -> LatencyHistory {
        LatencyHistory {
            start: Instant::now(),
            minutes: Mutex::new(Vec::with_capacity(MINUTES)),
        }
    }
}

impl LatencyHistory {
    /// Records the duration of a search that has just ended.
    pub fn record(&self, duration: Duration) {
        self.record_at(self.minute(), duration);
    }

    /// Returns the summaries of the last 60 minutes, oldest first, and that of all of them. A
    /// minute without searches has a count of 0.
    pub fn last_hour(&self) -> (Vec<LatencySummary>, LatencySummary) {
        self.hour_until(self.minute())
    }

    fn minute(&self) -> u64 {
        self.start.elapsed().as_secs() / 60
    }

    fn record_at(&self, number: u64, duration: Duration) {
        let mut minutes = self.minutes.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = usize::try_from(number % MINUTES as u64).unwrap_or(0);
        if minutes.is_empty() {
            minutes.resize(
                MINUTES,
                Minute {
                    number: 0,
                    histogram: [0; BUCKETS],
                    max: Duration::ZERO,
                },
            );
        }
        let Some(minute) = minutes.get_mut(slot) else {
            return;
        };
        if minute.number != number {
            *minute = Minute {
                number,
                histogram: [0; BUCKETS],
                max: Duration::ZERO,
            };
        }
        minute.histogram[bucket(duration)] += 1;
        minute.max = minute.max.max(duration);
    }

    fn hour_until(&self, number: u64) -> (Vec<LatencySummary>, LatencySummary) {
        let minutes = self
            .minutes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let mut all = [0u32; BUCKETS];
        let mut max = Duration::ZERO;
        let mut summaries = vec![LatencySummary::default(); MINUTES];
        for minute in minutes {
            let Some(age) = number
                .checked_sub(minute.number)
                .and_then(|age| usize::try_from(age).ok())
            else {
                continue;
            };
            let Some(summary) = MINUTES
                .checked_sub(age + 1)
                .and_then(|index| summaries.get_mut(index))
            else {
                continue;
            };
            if minute.max > Duration::ZERO {
                *summary = summarize(&minute.histogram, minute.max);
            }
            all.iter_mut()
                .zip(minute.histogram)
                .for_each(|(sum, count)| *sum = sum.saturating_add(count));
            max = max.max(minute.max);
        }
        (summaries, summarize(&all, max))
    }
}

/// Returns the bucket of a duration.
fn bucket(duration: Duration) -> usize {
    let micros = u64::try_from(duration.as_micros())
        .unwrap_or(u64::MAX)
        .max(4);
    let log = micros.ilog2();
    let quarter = (micros >> (log - 2)) & 3;
    (usize::try_from(log).unwrap_or(0) * 4 + usize::try_from(quarter).unwrap_or(0)).min(BUCKETS - 1)
}

/// Returns the longest duration of a bucket.
fn upper_bound(bucket: usize) -> Duration {
    let log = bucket / 4;
    let quarter = bucket % 4;
    Duration::from_micros((u64::try_from(quarter).unwrap_or(0) + 5) << log.saturating_sub(2))
}

fn summarize(histogram: &[u32; BUCKETS], max: Duration) -> LatencySummary {
    let count: u64 = histogram.iter().map(|count| u64::from(*count)).sum();
    if count == 0 {
        return LatencySummary::default();
    }
    LatencySummary {
        count,
        median: percentile(histogram, count, 50).min(max),
        p95: percentile(histogram, count, 95).min(max),
        max,
    }
}

/// Returns an upper bound of a percentile of the durations, of which there are `count`.
fn percentile(histogram: &[u32; BUCKETS], count: u64, percent: u64) -> Duration {
    let rank = (count * percent).div_ceil(100);
    let mut sum = 0;
    let bucket = histogram.iter().position(|count| {
        sum += u64::from(*count);
        sum >= rank
    });
    bucket.map_or(Duration::MAX, upper_bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn minutes_are_summarized_oldest_first() {
        let history = LatencyHistory::default();
        for n in 1..=100 {
            history.record_at(3, millis(n));
        }
        history.record_at(5, millis(2));
        let (minutes, hour) = history.hour_until(5);
        assert_eq!(minutes.len(), MINUTES);
        let [first, empty, last] = [minutes[57], minutes[58], minutes[59]];
        assert_eq!(
            (first.count, empty.count, last.count, hour.count),
            (100, 0, 1, 101)
        );
        assert!(
            first.median >= millis(50) && first.median <= millis(63),
            "{first:?}"
        );
        assert!(
            first.p95 >= millis(95) && first.p95 <= millis(100),
            "{first:?}"
        );
        assert_eq!(
            (first.max, last.max, hour.max),
            (millis(100), millis(2), millis(100))
        );
    }

    #[test]
    fn minutes_older_than_an_hour_are_forgotten() {
        let history = LatencyHistory::default();
        history.record_at(0, millis(9));
        assert_eq!(history.hour_until(59).1.count, 1);
        assert_eq!(history.hour_until(60).1, LatencySummary::default());
        history.record_at(60, millis(1));
        assert_eq!(
            history.hour_until(60).1.max,
            millis(1),
            "the slot of minute 0 is used again"
        );
    }

    #[test]
    fn every_duration_has_a_bucket_that_covers_it() {
        for micros in [0, 1, 3, 4, 5, 7, 8, 999, 1_000, 123_456, 59_000_000] {
            let bucket = bucket(Duration::from_micros(micros));
            let duration = Duration::from_micros(micros);
            assert!(upper_bound(bucket) >= duration, "{micros}");
            assert!(
                micros < 4 || upper_bound(bucket).as_micros() <= u128::from(micros) * 5 / 4 + 1,
                "{micros}"
            );
        }
        assert_eq!(bucket(Duration::MAX), BUCKETS - 1);
    }
}
