//! The chart of issues opened and closed per week.

use quarry_store::issues::Week;

/// Height of the chart in units of the drawing.
const HEIGHT: i64 = 60;
/// Width of a week.
const STEP: i64 = 24;
/// Width of a bar.
const BAR: i64 = 9;

/// The chart.
pub struct Chart {
    /// Width of the drawing.
    pub width: i64,
    /// Height of the drawing.
    pub height: i64,
    /// The bars of opened issues.
    pub opened: Vec<Bar>,
    /// The bars of closed issues.
    pub closed: Vec<Bar>,
    /// The text alternative of the chart.
    pub summary: String,
}

/// A bar.
pub struct Bar {
    /// Left edge.
    pub x: i64,
    /// Upper edge.
    pub y: i64,
    pub height: i64,
}

impl Bar {
    /// Returns the width.
    pub fn width(&self) -> i64 {
        BAR
    }
}

impl Chart {
    /// Returns the chart of these weeks, which `period` names; `None` when nothing happened in
    /// them.
    pub fn new(weeks: &[Week], period: &str) -> Option<Chart> {
        let largest = weeks
            .iter()
            .map(|week| week.opened.max(week.closed))
            .max()
            .filter(|largest| *largest > 0)?;
        let bars = |count: fn(&Week) -> i64, offset: i64| {
            weeks
                .iter()
                .enumerate()
                .map(|(index, week)| bar(index, count(week), offset, largest))
                .filter(|bar| bar.height > 0)
                .collect()
        };
        Some(Chart {
            width: i64::try_from(weeks.len()).unwrap_or(0) * STEP,
            height: HEIGHT,
            opened: bars(|week| week.opened, 2),
            closed: bars(|week| week.closed, 2 + BAR + 1),
            summary: format!(
                "{} issues opened and {} closed in {period}, at most {largest} in a week",
                total(weeks, |week| week.opened),
                total(weeks, |week| week.closed)
            ),
        })
    }
}

fn total(weeks: &[Week], count: fn(&Week) -> i64) -> i64 {
    weeks.iter().map(count).sum::<i64>()
}

fn bar(index: usize, count: i64, offset: i64, largest: i64) -> Bar {
    let height = if count == 0 {
        0
    } else {
        (count * HEIGHT / largest).max(1)
    };
    Bar {
        x: i64::try_from(index).unwrap_or(0) * STEP + offset,
        y: HEIGHT - height,
        height,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_week_fills_the_height() {
        let chart = Chart::new(
            &[
                Week {
                    opened: 1,
                    closed: 0,
                },
                Week {
                    opened: 30,
                    closed: 600,
                },
            ],
            "the last 2 weeks",
        )
        .unwrap();
        assert_eq!(heights(&chart.opened), [(2, 59, 1), (26, 57, 3)]);
        assert_eq!(heights(&chart.closed), [(36, 0, 60)]);
        assert_eq!(
            chart.summary,
            "31 issues opened and 600 closed in the last 2 weeks, at most 600 in a week"
        );
        assert!(Chart::new(&[Week::default()], "the last week").is_none());
    }

    fn heights(bars: &[Bar]) -> Vec<(i64, i64, i64)> {
        bars.iter()
            .map(|bar| (bar.x, bar.y, bar.height))
            .collect::<Vec<_>>()
    }
}
