//! The burn-up chart of a version: how many issues there were, and how many were closed, over time.

use jiff::Span;
use jiff::civil::Date;
use quarry_domain::values::text::date;
use quarry_store::projects::version_progress::VersionDay;
use std::fmt::Write;

/// Width of the drawing.
const WIDTH: i64 = 600;
/// Height of the drawing.
const HEIGHT: i64 = 120;

/// The chart.
pub struct BurnUp {
    /// The points of the line of all issues.
    pub scope: String,
    /// The points of the line of closed issues.
    pub closed: String,
    /// Where the due date is.
    pub due: Option<i64>,
    /// The first day.
    pub start: String,
    /// The last day.
    pub end: String,
    /// The text alternative.
    pub summary: String,
}

impl BurnUp {
    /// Returns the width.
    pub fn width(&self) -> i64 {
        WIDTH
    }

    /// Returns the height.
    pub fn height(&self) -> i64 {
        HEIGHT
    }

    /// Returns the chart of these days up to today, or to the last change once all issues are closed,
    /// or to the due date if that is later; `None` when it would have a single day.
    pub fn new(days: &[VersionDay], due: Option<Date>, today: Date) -> Option<BurnUp> {
        let first = days.first()?.day;
        let today = day_number(today).max(first);
        let due_day = due.map(day_number).filter(|day| *day >= first);
        let total: i64 = days.iter().map(|day| day.created).sum();
        let is_complete = days.iter().map(|day| day.closed).sum::<i64>() == total;
        let now = match days.last() {
            Some(last) if is_complete => last.day.min(today),
            _ => today,
        };
        let last = due_day.unwrap_or(now).max(now);
        let length = last - first;
        if length < 1 || total == 0 {
            return None;
        }
        let x = |day: i64| (day - first) * WIDTH / length;
        let y = |count: i64| HEIGHT - count * HEIGHT / total;
        let line = |count: fn(&VersionDay) -> i64| {
            let mut points = format!("0,{HEIGHT}");
            let mut sum = 0;
            for day in days.iter().filter(|day| count(day) > 0 && day.day <= now) {
                // A step: the value of the day before, then that of the day.
                write!(points, " {},{}", x(day.day), y(sum)).ok()?;
                sum += count(day);
                write!(points, " {},{}", x(day.day), y(sum)).ok()?;
            }
            write!(points, " {},{}", x(now), y(sum)).ok()?;
            Some((points, sum))
        };
        let (scope, _) = line(|day| day.created)?;
        let (closed, closed_count) = line(|day| day.closed)?;
        let start = date(date_of(first)?);
        let end = date(date_of(last)?);
        Some(BurnUp {
            scope,
            closed,
            due: due_day.map(x),
            summary: format!("{total} issues since {start}, of which {closed_count} are closed"),
            start,
            end,
        })
    }
}

/// Returns the number of days since 1970.
fn day_number(day: Date) -> i64 {
    day.since(Date::constant(1970, 1, 1))
        .map_or(0, |span| i64::from(span.get_days()))
}

fn date_of(number: i64) -> Option<Date> {
    let days = Span::new().try_days(number).ok()?;
    Date::constant(1970, 1, 1).checked_add(days).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_rise_in_steps_to_today() {
        let day = |day, created, closed| VersionDay {
            day,
            created,
            closed,
        };
        let days = [day(100, 3, 0), day(104, 1, 2)];
        let today = date_of(110).unwrap();
        let chart = BurnUp::new(&days, date_of(120), today).unwrap();
        assert_eq!(chart.scope, "0,120 0,120 0,30 120,30 120,0 300,0");
        assert_eq!(chart.closed, "0,120 120,120 120,60 300,60");
        assert_eq!(chart.due, Some(600));
        assert_eq!(
            chart.summary,
            "4 issues since 11 Apr 1970, of which 2 are closed"
        );
        let complete = [day(100, 2, 0), day(104, 0, 2)];
        let chart = BurnUp::new(&complete, None, today).unwrap();
        assert_eq!(chart.closed, "0,120 600,120 600,0 600,0");
        assert!(BurnUp::new(&[], None, today).is_none());
        assert!(BurnUp::new(&days[..1], None, date_of(100).unwrap()).is_none());
    }
}
