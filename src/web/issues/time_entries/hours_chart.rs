//! The chart of hours per period.

use quarry_http::resources::sentences::hours;

/// Height of the chart in units of the drawing.
const HEIGHT: f64 = 60.0;
/// Width of a period.
const STEP: usize = 24;
/// Width of a bar.
const BAR: usize = 16;

/// The chart.
pub struct HoursChart {
    /// Width of the drawing.
    pub width: usize,
    pub bars: Vec<HoursBar>,
    /// The labels of the first and the last period.
    pub ends: (String, String),
    /// The text alternative of the chart.
    pub summary: String,
}

/// A bar.
pub struct HoursBar {
    /// Left edge.
    pub x: usize,
    /// Upper edge.
    pub y: i64,
    pub height: i64,
    /// The period and its hours.
    pub title: String,
}

impl HoursBar {
    /// Returns the width.
    pub fn width(&self) -> usize {
        BAR
    }
}

impl HoursChart {
    /// Returns the height of the drawing.
    pub fn height(&self) -> i64 {
        HEIGHT as i64
    }

    /// Returns the chart of these sums; `None` for less than two periods.
    pub fn new(sums: &[f64], labels: &[String], periods: &str) -> Option<HoursChart> {
        let (index, largest) = sums
            .iter()
            .copied()
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .filter(|(_, largest)| *largest > 0.0)?;
        let ([first, .., last], Some(label)) = (labels, labels.get(index)) else {
            return None;
        };
        let bars = sums.iter().zip(labels).enumerate();
        let bars = bars
            .filter(|(_, (sum, _))| **sum > 0.0)
            .map(|(index, (sum, label))| {
                let height = (sum * HEIGHT / largest).round().max(1.0) as i64;
                HoursBar {
                    x: index * STEP + (STEP - BAR) / 2,
                    y: HEIGHT as i64 - height,
                    height,
                    title: format!("{label}: {}", hours(*sum)),
                }
            });
        Some(HoursChart {
            width: sums.len() * STEP,
            bars: bars.collect(),
            ends: (first.clone(), last.clone()),
            summary: format!(
                "{} in {} {periods}, at most {} in {label}",
                hours(sums.iter().sum()),
                sums.len(),
                hours(largest)
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_period_fills_the_height() {
        let labels = ["Oct", "Nov", "Dec"].map(str::to_owned);
        let chart = HoursChart::new(&[1.5, 0.0, 90.0], &labels, "months").unwrap();
        let bars: Vec<_> = chart
            .bars
            .iter()
            .map(|bar| (bar.x, bar.y, bar.height))
            .collect();
        assert_eq!(bars, [(4, 59, 1), (52, 0, 60)]);
        assert_eq!(chart.bars[1].title, "Dec: 90 h");
        assert_eq!(chart.summary, "91.5 h in 3 months, at most 90 h in Dec");
        assert_eq!(chart.ends, ("Oct".to_owned(), "Dec".to_owned()));
        assert!(HoursChart::new(&[1.0], &labels[..1], "months").is_none());
        assert!(HoursChart::new(&[0.0, 0.0], &labels[..2], "months").is_none());
    }
}
