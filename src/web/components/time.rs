//! Moments and dates as pages show them: in the time zone of the viewer, and those of the last
//! thirty days relative to now. The script keeps the latter fresh.
//!
//! Zone and time are not known where a moment is created. `render` passes them to the template as
//! the values [`ZONE`] and [`NOW`].

use askama::{FastWritable, Values, get_value};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::fmt;

/// The name of the value with the time zone of the viewer.
pub const ZONE: &str = "time zone";
/// The name of the value with the time, an `Option<Timestamp>`.
pub const NOW: &str = "now";

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Number of days that are shown relative to now.
const RELATIVE_DAYS: i64 = 30;

/// A moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// For programs: RFC 3339.
    pub iso: String,
    /// For people: how long ago it was, or the day.
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
                is_relative: true,
            },
            exact: LocalTime {
                timestamp,
                format: "%-d %b %Y, %H:%M %Z",
                is_relative: false,
            },
        }
    }
}

/// A time in the zone of the viewer; in UTC outside of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTime {
    pub timestamp: Timestamp,
    format: &'static str,
    /// Whether it is shown relative to now if it is not long ago.
    is_relative: bool,
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
        let now = get_value::<Option<Timestamp>>(values, NOW)
            .ok()
            .copied()
            .flatten();
        let relative = now
            .filter(|_| self.is_relative)
            .and_then(|now| relative(self.timestamp, now));
        let text = relative.unwrap_or_else(|| self.in_zone(zone));
        Ok(out.write_str(&text)?)
    }
}

/// Returns how long ago a time was, in the words of the script; `None` if it is to come, or long
/// ago.
pub fn relative(timestamp: Timestamp, now: Timestamp) -> Option<String> {
    let age = now.as_second() - timestamp.as_second();
    let (number, unit) = match age {
        0..MINUTE => return Some("just now".to_owned()),
        MINUTE..HOUR => (age / MINUTE, "minute"),
        HOUR..DAY => (age / HOUR, "hour"),
        _ if (DAY..RELATIVE_DAYS * DAY).contains(&age) => (age / DAY, "day"),
        _ => return None,
    };
    Some(match (number, unit) {
        (1, "day") => "yesterday".to_owned(),
        (1, unit) => format!("1 {unit} ago"),
        (number, unit) => format!("{number} {unit}s ago"),
    })
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
    fn recent_moments_are_shown_relative_to_now() {
        let now: Timestamp = "2026-11-26T12:00:00Z".parse().unwrap();
        for (age, expected) in [
            (-1, None),
            (0, Some("just now")),
            (59, Some("just now")),
            (60, Some("1 minute ago")),
            (3599, Some("59 minutes ago")),
            (7200, Some("2 hours ago")),
            (DAY, Some("yesterday")),
            (30 * DAY - 1, Some("29 days ago")),
            (30 * DAY, None),
        ] {
            let then = Timestamp::from_second(now.as_second() - age).unwrap();
            assert_eq!(relative(then, now).as_deref(), expected, "{age}");
        }
        let page = Page {
            moment: Moment::new("2026-11-26T11:58:00Z".parse().unwrap()),
        };
        let now: &dyn std::any::Any = &Some(now);
        assert_eq!(
            page.render_with_values(&[(NOW, now)]).unwrap(),
            "2026-11-26T11:58:00Z 2 minutes ago (26 Nov 2026, 11:58 UTC)"
        );
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
