//! The dates of documents and queries, in the formats of the trackers that sets are made of.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// Parses a date, such as `2015-01-30T00:43:49.000+0000`, `2020-01-02 17:14:21+00:00`, `2020-01-02` or
/// `01/Jan/20 02:52`. Fractions of seconds do not count, and UTC is assumed where there is no offset.
pub fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let local = |date: DateTime| {
        date.to_zoned(TimeZone::UTC)
            .ok()
            .map(|date| date.timestamp())
    };
    // RFC 3339, with a space or an offset without a colon, too.
    let zoned = ["%Y-%m-%dT%H:%M:%S%.f%z", "%Y-%m-%d %H:%M:%S%.f%z"]
        .iter()
        .find_map(|format| Timestamp::strptime(format, text).ok());
    let second = |timestamp: Timestamp| Timestamp::from_second(timestamp.as_second()).ok();
    zoned
        .or_else(|| text.parse().ok())
        .or_else(|| text.parse::<DateTime>().ok().and_then(local))
        .or_else(|| {
            let short = DateTime::strptime("%d/%b/%y %H:%M", text).ok();
            short.and_then(local)
        })
        .or_else(|| {
            text.parse::<Date>()
                .ok()
                .and_then(|date| local(date.into()))
        })
        .and_then(second)
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates_of_trackers_are_read() {
        for (text, expected) in [
            ("2015-01-30T00:43:49.000+0000", "2015-01-30T00:43:49Z"),
            ("2015-01-30T00:43:49.700Z", "2015-01-30T00:43:49Z"),
            ("2020-01-02 17:14:21+00:00", "2020-01-02T17:14:21Z"),
            ("2020-01-02 17:14:21+02:00", "2020-01-02T15:14:21Z"),
            ("2020-01-02T17:14:21", "2020-01-02T17:14:21Z"),
            ("2020-01-02", "2020-01-02T00:00:00Z"),
            ("01/Jan/20 02:52", "2020-01-01T02:52:00Z"),
        ] {
            let parsed = super::parse(text).map(|date| date.to_string());
            assert_eq!(parsed.as_deref(), Some(expected), "{text}");
        }
        for text in ["", "yesterday", "2020-13-01", "30/02/2020"] {
            assert_eq!(super::parse(text), None, "{text}");
        }
    }
}
