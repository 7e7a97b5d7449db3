//! The limit on test mails, which are sent while somebody waits.

use jiff::{SignedDuration, Timestamp};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Maximum number of test mails in a minute.
pub const MAX_TEST_MAILS: usize = 5;
/// The time in which they are counted.
const WINDOW: SignedDuration = SignedDuration::from_mins(1);

/// When the last test mails were sent.
#[derive(Default)]
pub struct TestMails(Mutex<VecDeque<Timestamp>>);

impl TestMails {
    /// Counts a test mail; `false` if there were too many.
    pub fn try_send(&self, now: Timestamp) -> bool {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sent.retain(|time| now.duration_since(*time).abs() < WINDOW);
        let is_allowed = sent.len() < MAX_TEST_MAILS;
        if is_allowed {
            sent.push_back(now);
        }
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_sent_in_a_minute() {
        let mails = TestMails::default();
        let at = |second| Timestamp::from_second(second).unwrap_or_default();
        assert!((0..5).all(|second| mails.try_send(at(second))));
        assert!(!mails.try_send(at(59)));
        assert!(mails.try_send(at(60)));
        assert!(!mails.try_send(at(60)));
    }
}
