//! Moments and dates as pages show them.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// A moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// For programs: RFC 3339.
    pub iso: String,
    /// For people: the day.
    pub text: String,
    /// For people: day, time and zone.
    pub exact: String,
}

impl Moment {
    /// Returns the moment in UTC.
    pub fn new(timestamp: Timestamp) -> Moment {
        let zoned = timestamp.to_zoned(TimeZone::UTC);
        Moment {
            iso: zoned.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            text: date(zoned.date()),
            exact: zoned.strftime("%-d %b %Y, %H:%M UTC").to_string(),
        }
    }
}

/// Returns a date as text, such as 3 Dec 2013.
pub fn date(date: Date) -> String {
    date.strftime("%-d %b %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moment_has_a_day_for_people_and_an_instant_for_programs() {
        let moment = Moment::new("2013-12-03T09:08:07.5Z".parse().unwrap());
        assert_eq!(moment.iso, "2013-12-03T09:08:07Z");
        assert_eq!(moment.text, "3 Dec 2013");
        assert_eq!(moment.exact, "3 Dec 2013, 09:08 UTC");
    }
}
