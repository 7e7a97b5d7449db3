//! Events that any client can repeat, such as wrong passwords. Only few of them are stored in the
//! audit log, so that they can neither fill the disk nor keep the writer busy.

use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The time in which repetitions are counted together.
const WINDOW: SignedDuration = SignedDuration::from_hours(1);
/// Maximum number of keys that are counted at the same time. Others share one count.
const MAX_KEYS: usize = 4_096;
/// Maximum number of events in a window that are stored, apart from those of the shared count.
const MAX_EVENTS: usize = 200;

/// Counts repetitions by a key, such as the address of the client.
#[derive(Default)]
pub struct RepeatedEvents(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    started_on: Timestamp,
    by_key: HashMap<String, u64>,
    others: u64,
    stored: usize,
}

/// A repetition that is stored, with the count in this hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Events of this key.
    OfKey(u64),
    /// Events of all keys that are not counted individually.
    OfOthers(u64),
}

impl RepeatedEvents {
    /// Counts an event. Returns the count if it is to be stored: the first one of an hour, the tenth,
    /// the hundredth, and so on.
    pub fn count(&self, key: &str, now: Timestamp) -> Option<Repetition> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.duration_since(counts.started_on).abs() >= WINDOW {
            *counts = Counts {
                started_on: now,
                ..Counts::default()
            };
        }
        let is_counted = counts.by_key.contains_key(key) || counts.by_key.len() < MAX_KEYS;
        if is_counted {
            let count = counts.by_key.entry(key.to_owned()).or_default();
            *count += 1;
            let count = *count;
            if !is_power_of_ten(count) {
                return None;
            }
            if counts.stored < MAX_EVENTS {
                counts.stored += 1;
                return Some(Repetition::OfKey(count));
            }
        }
        counts.others += 1;
        is_power_of_ten(counts.others).then_some(Repetition::OfOthers(counts.others))
    }
}

fn is_power_of_ten(mut count: u64) -> bool {
    while count >= 10 && count.is_multiple_of(10) {
        count /= 10;
    }
    count == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap_or_default()
    }

    #[test]
    fn few_of_many_repetitions_are_stored_with_their_count() {
        let events = RepeatedEvents::default();
        let stored: Vec<_> = (0..1_500)
            .filter_map(|_| events.count("192.0.2.1", at(10_000)))
            .collect();
        assert_eq!(stored, [1, 10, 100, 1_000].map(Repetition::OfKey));
        let later = events.count("192.0.2.1", at(13_600));
        assert_eq!(later, Some(Repetition::OfKey(1)));
    }

    #[test]
    fn many_addresses_cannot_store_many_events() {
        let events = RepeatedEvents::default();
        let mut stored = 0;
        for key in 0..50_000 {
            stored += usize::from(events.count(&key.to_string(), at(10_000)).is_some());
        }
        assert_eq!(stored, MAX_EVENTS + 5);
        let counts = events.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(counts.by_key.len(), MAX_KEYS);
    }
}
