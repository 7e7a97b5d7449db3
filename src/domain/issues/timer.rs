//! Timers: the work on an issue that a user has begun and not yet logged.

use crate::ids::IssueId;
use jiff::Timestamp;

/// The running timer of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer {
    pub issue: IssueId,
    pub started_on: Timestamp,
}

impl Timer {
    /// Returns the time since it was started as hours and minutes, such as `0:35`. Minutes that are
    /// not complete count as a whole one; a clock that was set back gives none.
    pub fn elapsed(&self, now: Timestamp) -> String {
        let seconds = now.as_second() - self.started_on.as_second();
        let minutes = (seconds.max(0) + 59) / 60;
        format!("{}:{:02}", minutes / 60, minutes % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elapsed_time_is_in_started_minutes() {
        let timer = Timer {
            issue: IssueId(1),
            started_on: Timestamp::UNIX_EPOCH,
        };
        let after = |seconds: i64| timer.elapsed(Timestamp::from_second(seconds).unwrap());
        assert_eq!(
            [0, 1, 60, 61, 3_600, 100 * 3_600 - 59].map(after),
            ["0:00", "0:01", "0:01", "0:02", "1:00", "100:00"]
        );
        assert_eq!(after(-5), "0:00");
    }
}
