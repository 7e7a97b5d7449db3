//! Backups: the policy which are kept, the schedule, and the state of the last ones.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

/// Time after which a scheduled backup that is still missing counts as overdue.
const OVERDUE_AFTER: SignedDuration = SignedDuration::from_hours(2);
/// Maximum count of a period in a [`KeepPolicy`].
const MAX_COUNT: u32 = 10_000;
/// Maximum number of times in [`BackupTimes`].
const MAX_TIMES: usize = 24;

/// A period of the calendar, in UTC. Weeks begin on Monday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Period {
    Hour,
    Day,
    Week,
    Month,
    Year,
}

impl Period {
    fn from_letter(letter: &str) -> Option<Period> {
        Some(match letter {
            "h" => Period::Hour,
            "d" => Period::Day,
            "w" => Period::Week,
            "m" => Period::Month,
            "y" => Period::Year,
            _ => return None,
        })
    }

    /// Returns the first day of the period, and the hour for an hour.
    fn start(self, time: Timestamp) -> (Date, i8) {
        let local = time.to_zoned(TimeZone::UTC).datetime();
        let date = local.date();
        match self {
            Period::Hour => (date, local.hour()),
            Period::Day => (date, 0),
            Period::Week => {
                let days = i64::from(date.weekday().to_monday_zero_offset());
                (date.saturating_sub(days.days()), 0)
            }
            Period::Month => (date.first_of_month(), 0),
            Period::Year => (date.first_of_year(), 0),
        }
    }
}

/// Policy which backups are kept: the latest one of each of the last periods that have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeepPolicy {
    /// The number of periods; `None` keeps all backups.
    periods: Option<Vec<(Period, u32)>>,
}

impl KeepPolicy {
    /// Parses numbers of hours, days, weeks, months and years, such as `7d,4w,6m`, or `all`.
    pub fn parse(text: &str) -> Option<KeepPolicy> {
        if text.trim() == "all" {
            return Some(KeepPolicy { periods: None });
        }
        let mut periods: Vec<(Period, u32)> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (count, letter) = part.split_at_checked(part.len().checked_sub(1)?)?;
            let period = Period::from_letter(letter)?;
            if !count.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let count = count.parse().ok().filter(|n| (1..=MAX_COUNT).contains(n))?;
            if periods.iter().any(|(existing, _)| *existing == period) {
                return None;
            }
            periods.push((period, count));
        }
        Some(KeepPolicy {
            periods: Some(periods),
        })
    }

    /// Returns for each backup whether it is kept. The times must be sorted, the oldest first. The
    /// latest backup is always kept. Those with times after `now`, from a clock that was wrong, are kept
    /// and do not count.
    pub fn select(&self, times: &[Timestamp], now: Timestamp) -> Vec<bool> {
        let Some(periods) = &self.periods else {
            return vec![true; times.len()];
        };
        let past = times.partition_point(|time| *time <= now);
        let mut kept: Vec<bool> = (0..times.len()).map(|index| index >= past).collect();
        if let Some(last) = kept[..past].last_mut() {
            *last = true;
        }
        for (period, count) in periods {
            let mut used = 0;
            let mut previous = None;
            for (index, time) in times[..past].iter().enumerate().rev() {
                let start = period.start(*time);
                if previous == Some(start) {
                    continue;
                }
                if used == *count {
                    break;
                }
                previous = Some(start);
                used += 1;
                kept[index] = true;
            }
        }
        kept
    }
}

/// The times of the day, in UTC, at which backups are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupTimes(Vec<Time>);

impl BackupTimes {
    /// Parses times with commas between them, such as `03:00` or `03:00,15:00`.
    pub fn parse(text: &str) -> Option<BackupTimes> {
        let mut times = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (hour, minute) = part.split_once(':')?;
            let is_number =
                |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            if !is_number(hour) || !is_number(minute) {
                return None;
            }
            times.push(Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()?);
        }
        times.sort_unstable();
        times.dedup();
        (times.len() <= MAX_TIMES).then_some(BackupTimes(times))
    }

    /// Returns the last time, not after `now`, at which a backup was due.
    pub fn last_due(&self, now: Timestamp) -> Timestamp {
        self.around(now)
            .rfind(|due| *due <= now)
            .unwrap_or(Timestamp::MIN)
    }

    /// Returns the next time, after `now`, at which a backup is due.
    pub fn next_due(&self, now: Timestamp) -> Timestamp {
        self.around(now)
            .find(|due| *due > now)
            .unwrap_or(Timestamp::MAX)
    }

    /// Returns the times of yesterday, today and tomorrow.
    fn around(&self, now: Timestamp) -> impl DoubleEndedIterator<Item = Timestamp> {
        let today = now.to_zoned(TimeZone::UTC).date();
        [-1, 0, 1].into_iter().flat_map(move |days| {
            let day = today.saturating_add(i64::from(days).days());
            self.0.iter().filter_map(move |time| {
                Some(
                    day.to_datetime(*time)
                        .to_zoned(TimeZone::UTC)
                        .ok()?
                        .timestamp(),
                )
            })
        })
    }
}

impl std::fmt::Display for BackupTimes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, time) in self.0.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(formatter, "{comma}{:02}:{:02}", time.hour(), time.minute())?;
        }
        Ok(())
    }
}

/// The state of the backups of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackupStatus {
    /// The last backup that is complete.
    pub last: Option<LastBackup>,
    /// The failures of scheduled backups since then.
    pub failure: Option<BackupFailure>,
}

/// The last backup that is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastBackup {
    /// Its name in the folder.
    pub name: String,
    /// The folder of the backups.
    pub folder: String,
    /// The time of the records in it.
    pub created_on: Timestamp,
    /// Its size in bytes, with the files that it shares with earlier backups.
    pub bytes: u64,
    /// Number of files of attachments that the store itself lacked, or that were damaged there.
    pub problems: u64,
}

/// Scheduled backups that have failed since the last complete one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupFailure {
    /// When the first one has failed.
    pub since: Timestamp,
    /// When the last one has failed.
    pub failed_on: Timestamp,
    /// Why the last one has failed.
    pub error: String,
}

impl BackupStatus {
    /// Returns the age of the last complete backup.
    pub fn age(&self, now: Timestamp) -> Option<SignedDuration> {
        let last = self.last.as_ref()?;
        Some(
            now.duration_since(last.created_on)
                .max(SignedDuration::ZERO),
        )
    }

    /// Whether a backup was due at or before `now` and has not been made since. A backup with a time
    /// after `now` does not count: the clock was wrong when it was made.
    pub fn is_due(&self, times: &BackupTimes, now: Timestamp) -> bool {
        self.is_missing_since(times.last_due(now), now)
    }

    /// Whether a backup was due two hours ago and has not been made since.
    pub fn is_overdue(&self, times: &BackupTimes, now: Timestamp) -> bool {
        let limit = now.saturating_sub(OVERDUE_AFTER).unwrap_or(Timestamp::MIN);
        self.last.is_some() && self.is_missing_since(times.last_due(limit), now)
    }

    fn is_missing_since(&self, due: Timestamp, now: Timestamp) -> bool {
        self.last
            .as_ref()
            .is_none_or(|last| last.created_on < due || last.created_on > now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(texts: &[&str]) -> Vec<Timestamp> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn latest_backup_of_each_of_the_last_periods_is_kept() {
        let times = times(&[
            "2025-12-31T03:00:00Z",
            "2026-10-31T03:00:00Z",
            "2026-11-15T03:00:00Z",
            "2026-11-20T03:00:00Z",
            "2026-11-26T03:00:00Z",
            "2026-11-27T03:00:00Z",
            "2026-11-27T15:00:00Z",
        ]);
        let kept = |policy: &str| {
            let kept = KeepPolicy::parse(policy).unwrap();
            let kept = kept.select(&times, *times.last().unwrap());
            let kept = kept.iter().enumerate().filter(|(_, kept)| **kept);
            kept.map(|(index, _)| index).collect::<Vec<_>>()
        };
        assert_eq!(kept("1d"), [6]);
        assert_eq!(kept("2d"), [4, 6]);
        assert_eq!(kept("2h"), [5, 6]);
        assert_eq!(kept("3w"), [2, 3, 6]);
        assert_eq!(kept("2m"), [1, 6]);
        assert_eq!(kept("9y"), [0, 6]);
        assert_eq!(kept("2d, 2m"), [1, 4, 6]);
        assert_eq!(kept("all"), [0, 1, 2, 3, 4, 5, 6]);
        let policy = KeepPolicy::parse("1d").unwrap();
        assert!(policy.select(&[], times[0]).is_empty());
    }

    #[test]
    fn backups_of_the_future_are_kept_and_do_not_count() {
        let times = times(&[
            "2026-11-26T03:00:00Z",
            "2026-11-27T03:00:00Z",
            "2031-01-01T03:00:00Z",
            "2031-01-02T03:00:00Z",
        ]);
        let policy = KeepPolicy::parse("1d").unwrap();
        assert_eq!(policy.select(&times, times[1]), [false, true, true, true]);
        assert_eq!(policy.select(&times, times[3]), [false, false, false, true]);
    }

    #[test]
    fn invalid_policies_and_times_are_refused() {
        for text in [
            "", "7", "d", "0d", "+7d", "7d,7d", "7x", "10001d", "7d,", "7ä", "-1d",
        ] {
            assert_eq!(KeepPolicy::parse(text), None, "{text}");
        }
        for text in [
            "", "3:00", "24:00", "03:60", "03", "03:00,", "03:0x", "+3:00",
        ] {
            assert_eq!(BackupTimes::parse(text), None, "{text}");
        }
    }

    #[test]
    fn backup_is_due_until_it_was_made_and_overdue_after_two_hours() {
        let schedule = BackupTimes::parse("15:00,03:00").unwrap();
        let [before, due, late, next] = times(&[
            "2026-11-27T02:59:59Z",
            "2026-11-27T03:00:00Z",
            "2026-11-27T05:00:00Z",
            "2026-11-27T15:00:00Z",
        ])[..] else {
            unreachable!()
        };
        assert_eq!(schedule.last_due(due), due);
        assert_eq!(schedule.next_due(due), next);
        assert_eq!(schedule.next_due(before), due);
        let mut status = BackupStatus::default();
        assert!(status.is_due(&schedule, before) && !status.is_overdue(&schedule, late));
        status.last = Some(LastBackup {
            name: String::new(),
            folder: String::new(),
            created_on: before,
            bytes: 0,
            problems: 0,
        });
        assert!(!status.is_due(&schedule, before) && status.is_due(&schedule, due));
        assert!(!status.is_overdue(&schedule, due) && status.is_overdue(&schedule, late));
        // A backup of the last two hours is no backup of the future.
        status.last.as_mut().unwrap().created_on = late;
        assert!(!status.is_due(&schedule, late) && !status.is_overdue(&schedule, late));
        status.last.as_mut().unwrap().created_on = next;
        assert!(status.is_due(&schedule, late) && status.is_overdue(&schedule, late));
        assert!(!status.is_due(&schedule, next));
        status.last.as_mut().unwrap().created_on = before;
        assert_eq!(status.age(due), Some(SignedDuration::from_secs(1)));
        assert_eq!(
            status.age(times(&["2026-11-01T00:00:00Z"])[0]),
            Some(SignedDuration::ZERO)
        );
    }
}
