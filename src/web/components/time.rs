//! Moments and dates as pages show them: in the time zone of the viewer.
//!
//! The zone is not known where a moment is created. `render` passes it to the template as the value
//! [`ZONE`].

use askama::{FastWritable, Values, get_value};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::fmt;

/// The name of the value with the time zone of the viewer.
pub const ZONE: &str = "time zone";

/// A moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// For programs: RFC 3339.
    pub iso: String,
    /// For people: the day.
    pub text: LocalTime,
    /// For people: day, time and zone.
    pub exact: LocalTime,
}

impl Moment {
    /// Returns the moment.
    pub fn new(timestamp: Timestamp) -> Moment {
        Moment {
            iso: timestamp.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            text: LocalTime {
                timestamp,
                format: "%-d %b %Y",
            },
            exact: LocalTime {
                timestamp,
                format: "%-d %b %Y, %H:%M %Z",
            },
        }
    }
}

/// A time in the zone of the viewer; in UTC outside of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTime {
    timestamp: Timestamp,
    format: &'static str,
}

impl LocalTime {
    /// Returns the time in this zone.
    pub fn in_zone(self, zone: TimeZone) -> String {
        self.timestamp
            .to_zoned(zone)
            .strftime(self.format)
            .to_string()
    }
}

impl fmt::Display for LocalTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_zone(TimeZone::UTC))
    }
}

impl FastWritable for LocalTime {
    fn write_into(&self, out: &mut dyn fmt::Write, values: &dyn Values) -> askama::Result<()> {
        let zone = get_value::<TimeZone>(values, ZONE)
            .cloned()
            .unwrap_or(TimeZone::UTC);
        Ok(out.write_str(&self.in_zone(zone))?)
    }
}

/// Returns a time of the last thirty days relative to now, in the words of the script that keeps it
/// fresh.
pub fn relative(time: Timestamp, now: Timestamp) -> Option<String> {
    let age = now.as_second() - time.as_second();
    let count = |seconds: i64, unit: &str| match age / seconds {
        1 => format!("1 {unit} ago"),
        count => format!("{count} {unit}s ago"),
    };
    match age {
        0..60 => Some("just now".to_owned()),
        60..3_600 => Some(count(60, "minute")),
        3_600..86_400 => Some(count(3_600, "hour")),
        86_400..172_800 => Some("yesterday".to_owned()),
        172_800..2_592_000 => Some(count(86_400, "day")),
        _ => None,
    }
}

/// Returns a date as text, such as 3 Dec 2013.
pub fn date(date: Date) -> String {
    date.strftime("%-d %b %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use askama::Template;

    #[derive(Template)]
    #[template(
        source = "{{ moment.iso }} {{ moment.text }} ({{ moment.exact }})",
        ext = "html"
    )]
    struct Page {
        moment: Moment,
    }

    #[test]
    fn recent_time_is_relative_to_now() {
        let now = Timestamp::from_second(10_000_000).unwrap();
        for (age, expected) in [
            (-5, None),
            (59, Some("just now")),
            (60, Some("1 minute ago")),
            (7_300, Some("2 hours ago")),
            (90_000, Some("yesterday")),
            (200_000, Some("2 days ago")),
            (2_592_000, None),
        ] {
            let time = Timestamp::from_second(10_000_000 - age).unwrap();
            assert_eq!(relative(time, now).as_deref(), expected, "{age}");
        }
    }

    #[test]
    fn moment_is_shown_in_the_zone_of_the_viewer() {
        let page = Page {
            moment: Moment::new("2013-12-03T23:08:07.5Z".parse().unwrap()),
        };
        assert_eq!(
            page.render().unwrap(),
            "2013-12-03T23:08:07Z 3 Dec 2013 (3 Dec 2013, 23:08 UTC)"
        );
        for (zone, shown) in [
            ("Europe/Berlin", "4 Dec 2013 (4 Dec 2013, 00:08 CET)"),
            ("Asia/Kolkata", "4 Dec 2013 (4 Dec 2013, 04:38 IST)"),
        ] {
            let zone = TimeZone::get(zone).unwrap();
            let page = page
                .render_with_values(&(ZONE, &zone as &dyn std::any::Any))
                .unwrap();
            assert_eq!(page, format!("2013-12-03T23:08:07Z {shown}"));
        }
    }
}
