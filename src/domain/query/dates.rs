//! The date operators of compatibility 6.3. Each means a range of days or instants.

use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

/// The operators of fields without future dates, longest first, so that no operator hides a longer
/// one.
pub const PAST_OPERATORS: &[&str] = &[
    "><t-", ">t-", "<t-", "><", ">=", "<=", "!*", "t-", "ld", "lw", "l2w", "lm", "=", "t", "w",
    "m", "y", "*",
];
/// The operators of fields that may have future dates, longest first.
pub const OPERATORS: &[&str] = &[
    "><t-", "><t+", ">t-", "<t-", ">t+", "<t+", "><", ">=", "<=", "!*", "t-", "t+", "ld", "nd",
    "lw", "l2w", "nw", "lm", "nm", "=", "t", "w", "m", "y", "*",
];

/// The operators that take no value.
pub const OPERATORS_WITHOUT_VALUE: &[&str] = &[
    "t", "ld", "nd", "w", "lw", "l2w", "nw", "m", "lm", "nm", "y", "*", "!*",
];

/// A range that includes both bounds; `None` means unbounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range<T> {
    /// The lower bound.
    pub from: Option<T>,
    /// The upper bound.
    pub to: Option<T>,
}

/// The calendar of a viewer.
#[derive(Clone, Debug)]
pub struct Calendar {
    /// Today in the zone.
    pub today: Date,
    /// The day on which weeks begin.
    pub first_weekday: Weekday,
    /// The zone in which days begin and end.
    pub zone: TimeZone,
}

impl Calendar {
    /// Returns the calendar in another zone at the time `now`.
    #[must_use]
    pub fn in_zone(self, zone: TimeZone, now: Timestamp) -> Calendar {
        Calendar {
            today: now.to_zoned(zone.clone()).date(),
            zone,
            ..self
        }
    }
}

/// A bound of a range: a day or an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DayOrInstant {
    /// A whole day.
    Day(Day),
    /// An instant.
    Instant(Timestamp),
}

/// A day in a time zone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Day {
    date: Date,
    first: Timestamp,
    last: Timestamp,
}

impl DayOrInstant {
    /// Parses `YYYY-MM-DD`, a day in the zone, or `YYYY-MM-DDTHH:MM[:SS][Z]`, in UTC.
    pub fn parse(text: &str, zone: &TimeZone) -> Option<DayOrInstant> {
        if text.len() == 10 {
            return day(text).map(|date| DayOrInstant::from_date(date, zone));
        }
        let text = text.strip_suffix('Z').unwrap_or(text);
        let (date, time) = text.split_once('T')?;
        let fits = (time.len() == 5 || time.len() == 8)
            && time
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b':');
        let time = time.parse().ok().filter(|_| fits)?;
        let instant = DateTime::from_parts(day(date)?, time)
            .to_zoned(TimeZone::UTC)
            .ok()?;
        Some(DayOrInstant::Instant(instant.timestamp()))
    }

    /// Returns a day in the zone.
    pub fn from_date(date: Date, zone: &TimeZone) -> DayOrInstant {
        let first = midnight(date, zone);
        let end = date
            .tomorrow()
            .map_or(Timestamp::MAX, |tomorrow| midnight(tomorrow, zone));
        let last = end
            .checked_sub(Span::new().microseconds(1))
            .unwrap_or(end)
            .max(first);
        DayOrInstant::Day(Day { date, first, last })
    }

    /// Returns its first instant.
    pub fn first(self) -> Timestamp {
        match self {
            DayOrInstant::Day(day) => day.first,
            DayOrInstant::Instant(instant) => instant,
        }
    }

    /// Returns its last instant, to the microsecond.
    pub fn last(self) -> Timestamp {
        match self {
            DayOrInstant::Day(day) => day.last,
            DayOrInstant::Instant(instant) => instant,
        }
    }

    /// Returns the date; that of an instant is in UTC.
    pub fn date(self) -> Date {
        match self {
            DayOrInstant::Day(day) => day.date,
            DayOrInstant::Instant(instant) => instant.to_zoned(TimeZone::UTC).date(),
        }
    }
}

fn day(text: &str) -> Option<Date> {
    let has_format = text.len() == 10
        && text.bytes().enumerate().all(|(index, byte)| {
            if index == 4 || index == 7 {
                byte == b'-'
            } else {
                byte.is_ascii_digit()
            }
        });
    text.parse().ok().filter(|_| has_format)
}

fn midnight(date: Date, zone: &TimeZone) -> Timestamp {
    // The range of dates is wider than that of timestamps.
    let outermost = if date.year() < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    date.to_zoned(zone.clone())
        .map_or(outermost, |zoned| zoned.timestamp())
}

/// Why the values of a filter are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidValue {
    /// A value is required and missing.
    Blank,
    /// A value cannot be parsed, or there are too few.
    Invalid,
}

/// Returns the range that an operator other than `*` and `!*` means.
pub fn range(
    operator: &str,
    values: &[&str],
    calendar: &Calendar,
) -> Result<Range<DayOrInstant>, InvalidValue> {
    if !OPERATORS_WITHOUT_VALUE.contains(&operator)
        && values.first().is_none_or(|value| value.trim().is_empty())
    {
        return Err(InvalidValue::Blank);
    }
    Ok(match operator {
        "=" => Range {
            from: Some(moment_at(values, 0, calendar)?),
            to: Some(moment_at(values, 0, calendar)?),
        },
        ">=" => Range {
            from: Some(moment_at(values, 0, calendar)?),
            to: None,
        },
        "<=" => Range {
            from: None,
            to: Some(moment_at(values, 0, calendar)?),
        },
        "><" => Range {
            from: Some(moment_at(values, 0, calendar)?),
            to: Some(moment_at(values, 1, calendar)?),
        },
        ">t-" => calendar.relative(Some(-day_count(values)?), None),
        "<t-" => calendar.relative(None, Some(-day_count(values)?)),
        "><t-" => calendar.relative(Some(-day_count(values)?), Some(0)),
        "t-" => calendar.relative(Some(-day_count(values)?), Some(-day_count(values)?)),
        ">t+" => calendar.relative(Some(day_count(values)?), None),
        "<t+" => calendar.relative(None, Some(day_count(values)?)),
        "><t+" => calendar.relative(Some(0), Some(day_count(values)?)),
        "t+" => calendar.relative(Some(day_count(values)?), Some(day_count(values)?)),
        "t" => calendar.relative(Some(0), Some(0)),
        "ld" => calendar.relative(Some(-1), Some(-1)),
        "nd" => calendar.relative(Some(1), Some(1)),
        "w" => calendar.week(0, 0),
        "lw" => calendar.week(-1, -1),
        "l2w" => calendar.week(-2, -1),
        "nw" => calendar.week(1, 1),
        "m" => calendar.month(0),
        "lm" => calendar.month(-1),
        "nm" => calendar.month(1),
        "y" => Range {
            from: Some(calendar.day(calendar.today.first_of_year())),
            to: Some(calendar.day(calendar.today.last_of_year())),
        },
        _ => return Err(InvalidValue::Invalid),
    })
}

fn moment_at(
    values: &[&str],
    index: usize,
    calendar: &Calendar,
) -> Result<DayOrInstant, InvalidValue> {
    values
        .get(index)
        .and_then(|value| DayOrInstant::parse(value, &calendar.zone))
        .ok_or(InvalidValue::Invalid)
}

/// Returns the number of days that is the first value.
fn day_count(values: &[&str]) -> Result<i32, InvalidValue> {
    values
        .first()
        .and_then(|value| value.parse::<i32>().ok())
        .filter(|days| (0..=3_000_000).contains(days))
        .ok_or(InvalidValue::Invalid)
}

impl Calendar {
    fn day(&self, date: Date) -> DayOrInstant {
        DayOrInstant::from_date(date, &self.zone)
    }

    /// Returns the range between two numbers of days from today.
    fn relative(&self, from: Option<i32>, to: Option<i32>) -> Range<DayOrInstant> {
        Range {
            from: from.map(|days| self.day(add_days(self.today, days))),
            to: to.map(|days| self.day(add_days(self.today, days))),
        }
    }

    /// Returns the range between two numbers of weeks from this week.
    fn week(&self, from: i32, to: i32) -> Range<DayOrInstant> {
        Range {
            from: Some(self.day(self.first_day(from))),
            to: Some(self.day(add_days(self.first_day(to), 6))),
        }
    }

    fn first_day(&self, weeks: i32) -> Date {
        add_days(
            self.today,
            weeks * 7 - i32::from(self.today.weekday().since(self.first_weekday)),
        )
    }

    /// Returns the month that is so many months from this one.
    fn month(&self, months: i32) -> Range<DayOrInstant> {
        let first = self
            .today
            .first_of_month()
            .saturating_add(Span::new().months(months));
        Range {
            from: Some(self.day(first)),
            to: Some(self.day(first.last_of_month())),
        }
    }
}

fn add_days(date: Date, days: i32) -> Date {
    date.saturating_add(Span::new().days(days))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn calendar(today: Date, first_weekday: Weekday) -> Calendar {
        Calendar {
            today,
            first_weekday,
            zone: TimeZone::UTC,
        }
    }

    /// Like [`range`], on 20 November 2026.
    fn range_in_november(
        operator: &str,
        values: &[&str],
    ) -> Result<Range<DayOrInstant>, InvalidValue> {
        range(
            operator,
            values,
            &calendar(date(2026, 11, 20), Weekday::Monday),
        )
    }

    fn parse(text: &str) -> DayOrInstant {
        DayOrInstant::parse(text, &TimeZone::UTC).unwrap()
    }

    fn range_of(operator: &str, values: &[&str]) -> (Option<Date>, Option<Date>) {
        let range = range_in_november(operator, values).unwrap();
        (
            range.from.map(DayOrInstant::date),
            range.to.map(DayOrInstant::date),
        )
    }

    #[test]
    fn relative_operators_count_from_today() {
        assert_eq!(
            range_of("w", &[]),
            (Some(date(2026, 11, 16)), Some(date(2026, 11, 22)))
        );
        assert_eq!(
            range_of("l2w", &[]),
            (Some(date(2026, 11, 2)), Some(date(2026, 11, 15)))
        );
        assert_eq!(
            range_of("lm", &[]),
            (Some(date(2026, 10, 1)), Some(date(2026, 10, 31)))
        );
        assert_eq!(range_of(">t-", &["3"]), (Some(date(2026, 11, 17)), None));
        assert_eq!(
            range_of("><t+", &["2"]),
            (Some(date(2026, 11, 20)), Some(date(2026, 11, 22)))
        );
    }

    #[test]
    fn weeks_begin_on_the_first_weekday() {
        let friday = date(2026, 11, 20);
        let sunday = date(2026, 11, 22);
        assert_eq!(
            week("w", friday, Weekday::Sunday),
            (date(2026, 11, 15), date(2026, 11, 21))
        );
        assert_eq!(
            week("w", sunday, Weekday::Sunday),
            (date(2026, 11, 22), date(2026, 11, 28))
        );
        assert_eq!(
            week("w", sunday, Weekday::Monday),
            (date(2026, 11, 16), date(2026, 11, 22))
        );
        assert_eq!(
            week("lw", friday, Weekday::Saturday),
            (date(2026, 11, 7), date(2026, 11, 13))
        );
        assert_eq!(
            week("l2w", friday, Weekday::Sunday),
            (date(2026, 11, 1), date(2026, 11, 14))
        );
        assert_eq!(
            week("nw", friday, Weekday::Sunday),
            (date(2026, 11, 22), date(2026, 11, 28))
        );
    }

    fn week(operator: &str, today: Date, first: Weekday) -> (Date, Date) {
        let range = range(operator, &[], &calendar(today, first)).unwrap();
        (range.from.unwrap().date(), range.to.unwrap().date())
    }

    #[test]
    fn invalid_dates_are_rejected() {
        for value in [
            "2024-02-30",
            "2024-1-1",
            "20240101",
            "2024-01-01T10:00:00+01:00",
            "x",
        ] {
            assert_eq!(
                range_in_november("=", &[value]),
                Err(InvalidValue::Invalid),
                "{value}"
            );
        }
        assert_eq!(range_in_november(">=", &[""]), Err(InvalidValue::Blank));
        assert_eq!(
            range_in_november("><", &["2024-01-01"]),
            Err(InvalidValue::Invalid)
        );
    }

    #[test]
    fn first_and_last_dates_can_be_parsed() {
        for text in [
            "0000-01-01",
            "0001-01-01",
            "9999-12-29",
            "9999-12-30",
            "9999-12-31",
        ] {
            let moment = parse(text);
            assert!(moment.first() <= moment.last(), "{text}");
        }
        assert!(parse("9999-12-31").first() > parse("9999-12-29").first());
        assert_eq!(range_in_november(">t+", &["3000000"]).unwrap().to, None);
    }

    #[test]
    fn a_day_ends_one_microsecond_before_the_next() {
        let moment = parse("2024-02-29");
        assert_eq!(
            moment.last().as_microsecond() + 1,
            parse("2024-03-01").first().as_microsecond()
        );
        assert_eq!(
            parse("2024-02-29T10:30Z").first(),
            parse("2024-02-29T10:30:00").first()
        );
    }

    #[test]
    fn days_begin_at_midnight_in_the_zone() {
        let zone = crate::administration::time_zone::find("Asia/Tokyo").unwrap();
        let tokyo = Calendar {
            today: date(2026, 11, 21),
            first_weekday: Weekday::Monday,
            zone,
        };
        let today = range("t", &[], &tokyo).unwrap().from.unwrap();
        assert_eq!(today.date(), date(2026, 11, 21));
        assert_eq!(today.first(), "2026-11-20T15:00:00Z".parse().unwrap());
        assert_eq!(today.last(), "2026-11-21T14:59:59.999999Z".parse().unwrap());
        let instant = range("=", &["2026-11-21T10:00"], &tokyo)
            .unwrap()
            .from
            .unwrap();
        assert_eq!(
            instant.first(),
            "2026-11-21T10:00:00Z".parse().unwrap(),
            "times are in UTC"
        );
        let zone = crate::administration::time_zone::find("Europe/Berlin").unwrap();
        let short = DayOrInstant::from_date(date(2026, 3, 29), &zone);
        assert_eq!(
            short.last().as_microsecond() - short.first().as_microsecond() + 1,
            23 * 3_600_000_000
        );
    }
}
