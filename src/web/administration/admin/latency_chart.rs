//! The chart of search latency in the last hour: a bar for each minute, up to the 95th percentile,
//! the median in front of it.

use super::attention::count;
use quarry_app::LatencySummary;
use std::time::Duration;

/// Height of the chart in units of the drawing.
const HEIGHT: u128 = 60;

/// Width of a minute.
const STEP: usize = 10;

/// The chart.
pub struct LatencyChart {
    /// Width of the drawing.
    pub width: usize,
    /// Height of the drawing.
    pub height: u128,
    /// The bars up to the 95th percentile.
    pub p95: Vec<Bar>,
    /// The bars up to the median.
    pub median: Vec<Bar>,
    /// The text alternative of the chart.
    pub summary: String,
}

/// A bar.
pub struct Bar {
    /// Left edge.
    pub x: usize,
    /// Upper edge.
    pub y: u128,
    pub height: u128,
}

impl Bar {
    /// Returns the width.
    pub fn width(&self) -> usize {
        STEP - 2
    }
}

impl LatencyChart {
    /// Returns the chart of these minutes; `None` without any search.
    pub fn new(minutes: &[LatencySummary], hour: LatencySummary) -> Option<LatencyChart> {
        let largest = minutes
            .iter()
            .map(|minute| minute.p95.as_micros())
            .max()
            .filter(|largest| *largest > 0)?;
        let bars = |value: fn(&LatencySummary) -> Duration| {
            let searched = minutes
                .iter()
                .enumerate()
                .filter(|(_, minute)| minute.count > 0);
            let bars = searched.map(|(index, minute)| {
                let height = (value(minute).as_micros() * HEIGHT / largest).max(1);
                Bar {
                    x: index * STEP + 1,
                    y: HEIGHT - height,
                    height,
                }
            });
            bars.collect()
        };
        Some(LatencyChart {
            width: minutes.len() * STEP,
            height: HEIGHT,
            p95: bars(|minute| minute.p95),
            median: bars(|minute| minute.median),
            summary: format!(
                "{} in the last hour: median {}, 95 % within {}, the slowest {}",
                count(hour.count, "search", "searches"),
                milliseconds(hour.median),
                milliseconds(hour.p95),
                milliseconds(hour.max)
            ),
        })
    }
}

/// Returns a duration such as 1.3 ms.
fn milliseconds(duration: Duration) -> String {
    let millis = duration.as_secs_f64() * 1e3;
    if millis < 10.0 {
        format!("{millis:.1} ms")
    } else {
        format!("{millis:.0} ms")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowest_minute_fills_the_height_and_minutes_without_searches_have_no_bar() {
        let minutes = [
            minute(2, 500, 1_000),
            minute(0, 0, 0),
            minute(1, 12_000, 12_000),
        ];
        let chart = LatencyChart::new(&minutes, minute(3, 1_300, 12_000)).unwrap();
        assert_eq!(edges(&chart.p95), [(1, 55, 5), (21, 0, 60)]);
        assert_eq!(edges(&chart.median), [(1, 58, 2), (21, 0, 60)]);
        assert_eq!(
            chart.summary,
            "3 searches in the last hour: median 1.3 ms, 95 % within 12 ms, the slowest 12 ms"
        );
        assert!(LatencyChart::new(&[minute(0, 0, 0)], minute(0, 0, 0)).is_none());
    }

    fn edges(bars: &[Bar]) -> Vec<(usize, u128, u128)> {
        bars.iter()
            .map(|bar| (bar.x, bar.y, bar.height))
            .collect::<Vec<_>>()
    }

    fn minute(count: u64, median: u64, p95: u64) -> LatencySummary {
        LatencySummary {
            count,
            median: Duration::from_micros(median),
            p95: Duration::from_micros(p95),
            max: Duration::from_micros(p95),
        }
    }
}
