//! The days of a Gantt chart: where each is in the drawing, with the names of months and weeks.

use crate::issues::dates::months::Months;
use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

/// How much space the name of a week needs.
const WEEK_LABEL: i64 = 18;
/// The least width of a day at which weeks are named.
const MIN_DAY_OF_WEEKS: i64 = 4;

/// The days of the drawing.
pub struct Scale {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// Width of a day.
    pub day: i64,
}

impl Scale {
    /// Returns the scale of these months.
    pub fn new(months: Months) -> Scale {
        // At most about 740 wide, which fits next to the table.
        let day = match months.count {
            ..=1 => 21,
            2 => 11,
            3 => 7,
            4..=6 => 4,
            7..=12 => 2,
            _ => 1,
        };
        Scale {
            from: months.first,
            to: months.last_day(),
            day,
        }
    }

    /// Returns where a day begins.
    pub fn x(&self, date: Date) -> i64 {
        days(self.from, date) * self.day
    }

    /// Returns the width of all days.
    pub fn width(&self) -> i64 {
        (days(self.from, self.to) + 1) * self.day
    }

    /// Whether the day is in the drawing.
    pub fn contains(&self, date: Date) -> bool {
        (self.from..=self.to).contains(&date)
    }

    /// Returns where each month begins, and its name.
    pub fn months(&self) -> Vec<(i64, String)> {
        let format = if self.day > 1 { "%b %Y" } else { "%b" };
        self.from
            .series(1.month())
            .take_while(|first| *first <= self.to)
            .map(|first| (self.x(first), first.strftime(format).to_string()))
            .collect()
    }

    /// Returns where each week begins, and the day of its month; none if there is no space.
    pub fn weeks(&self, first_weekday: Weekday) -> Vec<(i64, String)> {
        if self.day < MIN_DAY_OF_WEEKS {
            return Vec::new();
        }
        let before = first_weekday.until(self.from.weekday());
        let first = self.from.saturating_sub(Span::new().days(before));
        first
            .series(1.week())
            .take_while(|day| *day <= self.to)
            .filter(|day| *day >= self.from)
            .map(|day| (self.x(day), day.day().to_string()))
            .filter(|(x, _)| *x + WEEK_LABEL <= self.width())
            .collect()
    }
}

/// Returns the number of days from one day to another.
pub fn days(from: Date, to: Date) -> i64 {
    to.since(from).map_or(0, |span| i64::from(span.get_days()))
}
