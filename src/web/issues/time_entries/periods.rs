//! The periods that are the columns of a report.

use jiff::Span;
use jiff::civil::Date;
use quarry_domain::query::time_report::Period;

/// The first days of the periods of a report, without gaps.
pub struct Periods {
    pub period: Period,
    /// In ascending order.
    pub starts: Vec<Date>,
    /// Whether there are earlier periods with hours.
    pub is_cut: bool,
}

impl Periods {
    /// Returns the periods from the first to the last of these, at most the last `max`.
    pub fn new(period: Period, days: impl Iterator<Item = Date> + Clone, max: usize) -> Periods {
        let first = days.clone().min();
        let mut next = days.max();
        let mut starts = Vec::new();
        while let (Some(start), Some(first)) = (next, first) {
            if start < first || starts.len() == max {
                break;
            }
            starts.push(start);
            next = start.checked_sub(length(period)).ok();
        }
        starts.reverse();
        Periods {
            period,
            is_cut: starts.first() > first.as_ref(),
            starts,
        }
    }

    /// Returns the index of the period that begins with this day.
    pub fn index(&self, start: Date) -> Option<usize> {
        self.starts.binary_search(&start).ok()
    }

    /// Returns the labels for people.
    pub fn labels(&self) -> Vec<String> {
        let starts = self.starts.iter();
        starts
            .map(|start| match self.period {
                Period::Year => start.strftime("%Y").to_string(),
                Period::Month => start.strftime("%b %Y").to_string(),
                Period::Week => start.strftime("W%V %G").to_string(),
                Period::Day => start.strftime("%-d %b %Y").to_string(),
            })
            .collect()
    }

    /// Returns the labels for programs, as in ISO 8601.
    pub fn names(&self) -> Vec<String> {
        let starts = self.starts.iter();
        starts
            .map(|start| match self.period {
                Period::Year => start.strftime("%Y").to_string(),
                Period::Month => start.strftime("%Y-%m").to_string(),
                Period::Week => start.strftime("%G-W%V").to_string(),
                Period::Day => start.to_string(),
            })
            .collect()
    }
}

fn length(period: Period) -> Span {
    match period {
        Period::Year => Span::new().years(1),
        Period::Month => Span::new().months(1),
        Period::Week => Span::new().weeks(1),
        Period::Day => Span::new().days(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn periods(period: Period, days: &[&str], max: usize) -> Periods {
        let days: Vec<Date> = days.iter().map(|day| day.parse().unwrap()).collect();
        Periods::new(period, days.into_iter(), max)
    }

    #[test]
    fn periods_have_no_gaps() {
        let months = periods(Period::Month, &["2026-02-01", "2025-11-01"], 10);
        assert_eq!(months.names(), ["2025-11", "2025-12", "2026-01", "2026-02"]);
        assert!(!months.is_cut);
        assert_eq!(months.index("2026-01-01".parse().unwrap()), Some(2));
        let weeks = periods(Period::Week, &["2026-12-28", "2027-01-04"], 10);
        assert_eq!(weeks.names(), ["2026-W53", "2027-W01"]);
        assert_eq!(weeks.labels(), ["W53 2026", "W01 2027"]);
        assert!(periods(Period::Day, &[], 10).starts.is_empty());
        assert!(!periods(Period::Day, &[], 10).is_cut);
    }

    #[test]
    fn last_periods_are_kept() {
        let days = periods(Period::Day, &["2026-01-01", "2026-11-20"], 2);
        assert_eq!(days.names(), ["2026-11-19", "2026-11-20"]);
        assert!(days.is_cut);
        let years = periods(Period::Year, &["0001-01-01", "9999-01-01"], 2);
        assert_eq!(years.names(), ["9998", "9999"]);
    }
}
