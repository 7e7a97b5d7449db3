//! Digests: one mail a day or a week in place of a mail about each thread.

use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use strum::{EnumString, IntoStaticStr};

/// Maximum number of days until the next digest.
const MAX_DAYS: i64 = 8;

/// How often a person gets a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Digest {
    Daily,
    /// On Mondays.
    Weekly,
}

impl Digest {
    /// Returns the name in preferences, forms and the API.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns when the first digest after `now` is due, at this hour in the time zone.
    pub fn next(self, zone: &TimeZone, hour: i8, now: Timestamp) -> Option<Timestamp> {
        let today = now.to_zoned(zone.clone()).date();
        (0..=MAX_DAYS).find_map(|days| {
            let day = today.checked_add(days.days()).ok()?;
            let is_day = self == Digest::Daily || day.weekday() == Weekday::Monday;
            let time = day.at(hour, 0, 0, 0).to_zoned(zone.clone()).ok()?;
            Some(time.timestamp()).filter(|time| is_day && *time > now)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(digest: Digest, zone: &str, now: &str) -> String {
        let zone = TimeZone::get(zone).unwrap();
        let next = digest.next(&zone, 8, now.parse().unwrap()).unwrap();
        next.to_string()
    }

    #[test]
    fn digest_is_due_at_the_hour_of_the_next_day_or_monday() {
        for (digest, zone, now, expected) in [
            (
                Digest::Daily,
                "UTC",
                "2026-11-20T07:59:59Z",
                "2026-11-20T08:00:00Z",
            ),
            (
                Digest::Daily,
                "UTC",
                "2026-11-20T08:00:00Z",
                "2026-11-21T08:00:00Z",
            ),
            (
                Digest::Daily,
                "Europe/Berlin",
                "2026-11-20T08:00:00Z",
                "2026-11-21T07:00:00Z",
            ),
            (
                Digest::Daily,
                "Pacific/Auckland",
                "2026-11-20T12:00:00Z",
                "2026-11-20T19:00:00Z",
            ),
            // The hour changes between the two.
            (
                Digest::Daily,
                "Europe/Berlin",
                "2026-03-28T12:00:00Z",
                "2026-03-29T06:00:00Z",
            ),
            // A Friday, a Monday before and after the hour.
            (
                Digest::Weekly,
                "UTC",
                "2026-11-20T12:00:00Z",
                "2026-11-23T08:00:00Z",
            ),
            (
                Digest::Weekly,
                "UTC",
                "2026-11-23T07:00:00Z",
                "2026-11-23T08:00:00Z",
            ),
            (
                Digest::Weekly,
                "UTC",
                "2026-11-23T08:00:00Z",
                "2026-11-30T08:00:00Z",
            ),
        ] {
            assert_eq!(next(digest, zone, now), expected, "{digest:?} {zone} {now}");
        }
    }
}
