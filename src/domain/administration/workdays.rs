//! Working days (compatibility 6.6).

use jiff::ToSpan;
use jiff::civil::Date;

/// Maximum distance between two dates in working days.
pub const MAX_DAYS: i64 = 100_000;

/// The working days of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workdays {
    /// Whether each day of the week is a working day; the first is Monday.
    is_workday: [bool; 7],
    days_per_week: i64,
}

impl Workdays {
    /// Creates the working days from the other days of the week; `1` is Monday. Ignores other text.
    /// If no working day is left, every day is one.
    pub fn without<'w>(days: impl Iterator<Item = &'w str>) -> Workdays {
        let mut is_workday = [true; 7];
        for day in days.filter_map(|day| day.trim().parse::<usize>().ok()) {
            if let Some(is_workday) = day
                .checked_sub(1)
                .and_then(|index| is_workday.get_mut(index))
            {
                *is_workday = false;
            }
        }
        if is_workday == [false; 7] {
            is_workday = [true; 7];
        }
        let days_per_week = is_workday
            .iter()
            .fold(0, |sum, is_workday| sum + i64::from(*is_workday));
        Workdays {
            is_workday,
            days_per_week,
        }
    }

    fn is_off(&self, day: Date) -> bool {
        let index = usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or(0);
        !self.is_workday.get(index).copied().unwrap_or(true)
    }

    /// Returns the first working day from `day` on, in steps of 1 or -1 days.
    fn first_workday(&self, day: Date, step: i64) -> Date {
        let mut day = day;
        for _ in 0..7 {
            if !self.is_off(day) {
                break;
            }
            day = day.saturating_add(step.days());
        }
        day
    }

    /// Returns the day if it is a working day, or else the next working day.
    pub fn on_or_after(&self, day: Date) -> Date {
        self.first_workday(day, 1)
    }

    /// Returns the working day that is `days` working days after `day`, or before it if negative.
    /// Stops at the ends of the calendar.
    pub fn add(&self, day: Date, days: i64) -> Date {
        let days = days.clamp(-MAX_DAYS, MAX_DAYS);
        let step = days.signum();
        if step == 0 {
            return self.on_or_after(day);
        }
        // Starts at the working day before a day off, and skips whole weeks at once.
        let mut day = self
            .first_workday(day, -step)
            .saturating_add((days / self.days_per_week).weeks());
        for _ in 0..(days % self.days_per_week).abs() {
            day = self.first_workday(day.saturating_add(step.days()), step);
        }
        day
    }

    /// Returns the number of working days from `from` up to and without `to`; 0 if `to` is not
    /// later.
    pub fn count_between(&self, from: Date, to: Date) -> i64 {
        if to <= from {
            return 0;
        }
        let days = from.until(to).map_or(0, |span| i64::from(span.get_days()));
        let mut day = from;
        let mut count = days / 7 * self.days_per_week;
        for _ in 0..days % 7 {
            count += i64::from(!self.is_off(day));
            day = day.saturating_add(1.day());
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn monday_to_friday() -> Workdays {
        Workdays::without(["6", "7"].into_iter())
    }

    #[test]
    fn weekends_do_not_count() {
        let days = monday_to_friday();
        // 2024-03-20 is a Wednesday.
        assert_eq!(days.add(date(2024, 3, 20), 3), date(2024, 3, 25));
        assert_eq!(
            days.add(date(2024, 3, 10), 3),
            date(2024, 3, 13),
            "from a Sunday"
        );
        assert_eq!(days.add(date(2024, 3, 20), 12), date(2024, 4, 5));
        assert_eq!(days.add(date(2024, 3, 25), -1), date(2024, 3, 22));
        assert_eq!(days.add(date(2024, 3, 23), 0), date(2024, 3, 25));
        assert_eq!(days.add(date(2024, 3, 23), -5), date(2024, 3, 18));
        assert_eq!(days.count_between(date(2024, 3, 20), date(2024, 3, 25)), 3);
        assert_eq!(days.count_between(date(2024, 3, 20), date(2024, 4, 5)), 12);
        assert_eq!(days.count_between(date(2024, 3, 25), date(2024, 3, 20)), 0);
    }

    #[test]
    fn adding_days_equals_counting_day_by_day() {
        for off in [
            &["6", "7"][..],
            &["5"],
            &[],
            &["1", "2", "3", "4", "5", "6"],
            &["1", "2", "3", "4", "5", "6", "7"],
            &["0", "8", "x"],
        ] {
            let workdays = Workdays::without(off.iter().copied());
            for start in 0..14 {
                let day = date(2024, 3, 1).saturating_add(start.days());
                let mut counted = day;
                for days in 1..30 {
                    counted = workdays.on_or_after(counted.saturating_add(1.day()));
                    assert_eq!(
                        workdays.add(day, days),
                        counted,
                        "{day} and {days} without {off:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn calculation_stops_at_the_ends_of_the_calendar() {
        let days = monday_to_friday();
        assert!(days.add(Date::MAX, MAX_DAYS) >= date(9999, 12, 25));
        assert!(days.add(Date::MIN, -MAX_DAYS) <= date(-9999, 1, 10));
        assert_eq!(days.on_or_after(Date::MAX).year(), 9999);
        let day = date(2024, 1, 1);
        assert_eq!(days.add(day, i64::MAX), days.add(day, MAX_DAYS));
        assert_eq!(days.add(day, i64::MIN), days.add(day, -MAX_DAYS));
        assert!(days.count_between(Date::MIN, Date::MAX) > MAX_DAYS);
    }
}
