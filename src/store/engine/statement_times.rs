//! Durations of SQL statements: those of a request, and a count of all slow ones.
//!
//! Each thread adds up the times of its statements. The writer runs statements for other threads, and
//! passes the times back to them. Parameter values are never kept, only the text with placeholders.

use metrics::counter;
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// Time from which on a statement is counted as slow.
const SLOW: Duration = Duration::from_millis(100);
/// Time from which on a statement can be the slowest one, so that texts are copied only for a few.
const MIN_KEPT: Duration = Duration::from_millis(1);
/// Maximum number of bytes of a statement that are kept.
const MAX_TEXT: usize = 2000;

thread_local! {
    static TIMES: RefCell<StatementTimes> = const { RefCell::new(StatementTimes::new()) };
}

/// The times of several statements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementTimes {
    /// Number of statements.
    pub count: u32,
    /// The sum of their times.
    pub total: Duration,
    /// The slowest of those that took a millisecond or more: its time and its text.
    pub slowest: Option<(Duration, String)>,
}

impl StatementTimes {
    const fn new() -> StatementTimes {
        StatementTimes {
            count: 0,
            total: Duration::ZERO,
            slowest: None,
        }
    }

    /// Adds the times of other statements.
    pub fn add(&mut self, other: StatementTimes) {
        self.count += other.count;
        self.total += other.total;
        if other.slowest > self.slowest {
            self.slowest = other.slowest;
        }
    }

    fn record(&mut self, sql: &str, time: Duration) {
        self.count += 1;
        self.total += time;
        let is_slowest = self
            .slowest
            .as_ref()
            .is_none_or(|(slowest, _)| time > *slowest);
        if time >= MIN_KEPT && is_slowest {
            self.slowest = Some((time, shorten(sql)));
        }
    }
}

/// Runs `work`, and returns the times of the statements that it has run.
pub fn measure<T>(work: impl FnOnce() -> T) -> (T, StatementTimes) {
    let outer = TIMES.take();
    let outcome = work();
    (outcome, TIMES.replace(outer))
}

/// Adds the times of statements that another thread has run for this one.
pub(super) fn add(times: StatementTimes) {
    TIMES.with_borrow_mut(|sum| sum.add(times));
}

/// Runs a statement with this text, and records its time.
pub(super) fn time<T>(sql: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let outcome = run();
    let time = start.elapsed();
    if time >= SLOW {
        counter!("quarry_store_slow_statements_total").increment(1);
    }
    TIMES.with_borrow_mut(|times| times.record(sql, time));
    outcome
}

/// Returns the text of a statement in one line, cut to a bound.
fn shorten(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len().min(MAX_TEXT));
    for word in sql.split_whitespace() {
        if text.len() + word.len() > MAX_TEXT {
            text.push('…');
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn slowest_statement_is_kept_and_inner_times_are_separate() {
        let ((), outer) = measure(|| {
            TIMES.with_borrow_mut(|times| times.record("SELECT\n  1", millis(3)));
            let ((), inner) = measure(|| {
                TIMES.with_borrow_mut(|times| times.record("SELECT 2", millis(5)));
                TIMES.with_borrow_mut(|times| times.record("SELECT 3", millis(4)));
            });
            assert_eq!((inner.count, inner.total), (2, millis(9)));
            assert_eq!(inner.slowest, Some((millis(5), "SELECT 2".to_owned())));
        });
        assert_eq!((outer.count, outer.total), (1, millis(3)));
        assert_eq!(outer.slowest, Some((millis(3), "SELECT 1".to_owned())));
    }

    #[test]
    fn long_and_fast_statements_take_little_memory() {
        let mut times = StatementTimes::default();
        times.record("SELECT 1", Duration::from_micros(999));
        assert_eq!(times.slowest, None);
        times.record(&"word ".repeat(10_000), millis(1));
        let (_, text) = times.slowest.unwrap();
        assert!(text.len() <= MAX_TEXT + '…'.len_utf8() && text.ends_with('…'));
    }
}
