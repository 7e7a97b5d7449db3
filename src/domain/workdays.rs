//! Counting in working days (compatibility 6.6).

use jiff::ToSpan;
use jiff::civil::Date;

/// The farthest that is counted, in working days. Beyond it lies no plan.
pub const MAX_DAYS: i64 = 100_000;

/// On which days of the week people work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workdays {
    /// Monday first.
    works: [bool; 7],
    days_per_week: i64,
}

impl Workdays {
    /// Every day but these, Monday is 1. What is no day of the week says nothing; a week without work would never come to an
    /// end, so then people work every day.
    pub fn without<'w>(days: impl Iterator<Item = &'w str>) -> Workdays {
        let mut works = [true; 7];
        for day in days.filter_map(|day| day.trim().parse::<usize>().ok()) {
            if let Some(works) = day.checked_sub(1).and_then(|index| works.get_mut(index)) {
                *works = false;
            }
        }
        if works == [false; 7] {
            works = [true; 7];
        }
        let days_per_week = works.iter().fold(0, |sum, works| sum + i64::from(*works));
        Workdays { works, days_per_week }
    }

    fn is_off(&self, day: Date) -> bool {
        let index = usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or(0);
        !self.works.get(index).copied().unwrap_or(true)
    }

    /// The day, or the next working day when it is none; with a step of -1 the one before it.
    fn nearest(&self, day: Date, step: i64) -> Date {
        let mut day = day;
        for _ in 0..7 {
            if !self.is_off(day) {
                break;
            }
            day = day.saturating_add(step.days());
        }
        day
    }

    /// The day, or the next working day when it is none.
    pub fn on_or_after(&self, day: Date) -> Date {
        self.nearest(day, 1)
    }

    /// The working day so many working days after this day, before it when negative. Ends of the calendar are ends.
    pub fn add(&self, day: Date, days: i64) -> Date {
        let days = days.clamp(-MAX_DAYS, MAX_DAYS);
        let step = days.signum();
        if step == 0 {
            return self.on_or_after(day);
        }
        // Counting from a day off begins where counting came to it; whole weeks are leapt over.
        let mut day = self.nearest(day, -step).saturating_add((days / self.days_per_week).weeks());
        for _ in 0..(days % self.days_per_week).abs() {
            day = self.nearest(day.saturating_add(step.days()), step);
        }
        day
    }

    /// How many working days lie from the one day to the other; 0 when it is not later.
    pub fn count_between(&self, from: Date, to: Date) -> i64 {
        if to <= from {
            return 0;
        }
        let days = from.until(to).map_or(0, |span| i64::from(span.get_days()));
        let mut day = from;
        let mut found = days / 7 * self.days_per_week;
        for _ in 0..days % 7 {
            found += i64::from(!self.is_off(day));
            day = day.saturating_add(1.day());
        }
        found
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
        assert_eq!(days.add(date(2024, 3, 10), 3), date(2024, 3, 13), "from a Sunday");
        assert_eq!(days.add(date(2024, 3, 20), 12), date(2024, 4, 5));
        assert_eq!(days.add(date(2024, 3, 25), -1), date(2024, 3, 22));
        assert_eq!(days.add(date(2024, 3, 23), 0), date(2024, 3, 25));
        assert_eq!(days.add(date(2024, 3, 23), -5), date(2024, 3, 18));
        assert_eq!(days.count_between(date(2024, 3, 20), date(2024, 3, 25)), 3);
        assert_eq!(days.count_between(date(2024, 3, 20), date(2024, 4, 5)), 12);
        assert_eq!(days.count_between(date(2024, 3, 25), date(2024, 3, 20)), 0);
    }

    #[test]
    fn counting_on_is_what_counting_day_by_day_gives() {
        for off in [&["6", "7"][..], &["5"], &[], &["1", "2", "3", "4", "5", "6"], &["1", "2", "3", "4", "5", "6", "7"], &["0", "8", "x"]] {
            let workdays = Workdays::without(off.iter().copied());
            for start in 0..14 {
                let day = date(2024, 3, 1).saturating_add(start.days());
                let mut counted = day;
                for days in 1..30 {
                    counted = workdays.on_or_after(counted.saturating_add(1.day()));
                    assert_eq!(workdays.add(day, days), counted, "{day} and {days} without {off:?}");
                }
            }
        }
    }

    #[test]
    fn the_ends_of_the_calendar_are_ends() {
        let days = monday_to_friday();
        assert!(days.add(Date::MAX, MAX_DAYS) >= date(9999, 12, 25));
        assert!(days.add(Date::MIN, -MAX_DAYS) <= date(-9999, 1, 10));
        assert_eq!(days.on_or_after(Date::MAX).year(), 9999);
        let day = date(2024, 1, 1);
        let _ = (days.add(day, i64::MAX), days.add(day, i64::MIN), days.count_between(Date::MIN, Date::MAX));
    }
}
