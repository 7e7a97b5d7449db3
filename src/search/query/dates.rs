//! Ranges of days and times in qualifiers.

use jiff::civil::Date;
use jiff::{SignedDuration, Span, Timestamp};
use quarry_domain::query::dates::{Calendar, DayOrInstant, Range};

/// Operators of ranges, longest first.
pub(super) const OPERATORS: [&str; 5] = [">=", "<=", ">", "<", ""];

/// Words for days and periods, in addition to `-7d`, `+2w` and the like.
pub const PERIODS: [&str; 12] = [
    "today",
    "yesterday",
    "tomorrow",
    "this-week",
    "last-week",
    "next-week",
    "this-month",
    "last-month",
    "next-month",
    "this-year",
    "last-year",
    "next-year",
];

/// The first and the last day or instant of a period.
type Period = (DayOrInstant, DayOrInstant);

/// Parses `2024-01-31`, `>=2024-01`, `2023..2024` or `..today`: days, months, years, words such as
/// `last-week`, or distances to today such as `-7d`, in the zone of the calendar; or times such as
/// `2024-01-31T10:00Z`, in UTC.
pub(super) fn parse_date_range(value: &str, calendar: &Calendar) -> Option<Range<DayOrInstant>> {
    if let Some((from, to)) = value.split_once("..") {
        let from = parse_bound(from, calendar)?.map(|(first, _)| first);
        let to = parse_bound(to, calendar)?.map(|(_, last)| last);
        return (from.is_some() || to.is_some()).then_some(Range { from, to });
    }
    let operator = OPERATORS
        .into_iter()
        .find(|operator| value.starts_with(operator))?;
    let (first, last) = parse_period(&value[operator.len()..], calendar)?;
    let (from, to) = match operator {
        ">=" => (Some(first), None),
        "<=" => (None, Some(last)),
        ">" => (Some(after(last, calendar)?), None),
        "<" => (None, Some(before(first, calendar)?)),
        _ => (Some(first), Some(last)),
    };
    Some(Range { from, to })
}

/// Returns the first and the last second of a range.
pub(super) fn seconds(range: Range<DayOrInstant>) -> (Option<i64>, Option<i64>) {
    let from = range.from.map(|from| from.first().as_second());
    (from, range.to.map(|to| to.last().as_second()))
}

/// Parses an end of a range; `Some(None)` when it is open.
fn parse_bound(text: &str, calendar: &Calendar) -> Option<Option<Period>> {
    if text.is_empty() || text == "*" {
        Some(None)
    } else {
        parse_period(text, calendar).map(Some)
    }
}

/// Returns the first and the last day of a year, a month, a week or a day; an instant twice.
fn parse_period(text: &str, calendar: &Calendar) -> Option<Period> {
    let days = |first: Date, last: Date| {
        let day = |date| DayOrInstant::from_date(date, &calendar.zone);
        Some((day(first), day(last)))
    };
    if let Some((first, last)) = relative_period(text, calendar) {
        return days(first, last);
    }
    match text.len() {
        4 if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            let first: Date = format!("{text}-01-01").parse().ok()?;
            days(first, first.last_of_year())
        }
        7 => {
            let first: Date = format!("{text}-01").parse().ok()?;
            days(first, first.last_of_month())
        }
        _ => {
            let parsed = DayOrInstant::parse(text, &calendar.zone)?;
            Some((parsed, parsed))
        }
    }
}

/// Returns the first and the last day of a period relative to today.
fn relative_period(text: &str, calendar: &Calendar) -> Option<(Date, Date)> {
    let today = calendar.today;
    if text == "today" {
        return Some((today, today));
    }
    if let "yesterday" | "tomorrow" = text {
        let day = if text == "tomorrow" {
            today.tomorrow()
        } else {
            today.yesterday()
        };
        return day.ok().map(|day| (day, day));
    }
    if let Some((which, unit)) = text.split_once('-')
        && let Some(distance) = ["last", "this", "next"]
            .iter()
            .position(|name| *name == which)
    {
        let distance = i64::try_from(distance).ok()? - 1;
        let (first, span) = match unit {
            "week" => {
                let passed = today.weekday().since(calendar.first_weekday);
                (
                    today.checked_sub(Span::new().days(passed)).ok()?,
                    Span::new().weeks(1),
                )
            }
            "month" => (today.first_of_month(), Span::new().months(1)),
            "year" => (today.first_of_year(), Span::new().years(1)),
            _ => return None,
        };
        let first = first.checked_add(span.checked_mul(distance).ok()?).ok()?;
        let last = first.checked_add(span).ok()?.yesterday().ok()?;
        return Some((first, last));
    }
    let (sign, rest) = text
        .strip_prefix('-')
        .map(|rest| (-1, rest))
        .or_else(|| text.strip_prefix('+').map(|rest| (1, rest)))?;
    let unit = rest.chars().last().filter(char::is_ascii_lowercase)?;
    let digits = &rest[..rest.len() - 1];
    let count: i64 = digits.parse().ok()?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let count = sign * Some(count).filter(|count| (0..=9_999).contains(count))?;
    let span = match unit {
        'd' => Span::new().days(count),
        'w' => Span::new().weeks(count),
        'm' => Span::new().months(count),
        'y' => Span::new().years(count),
        _ => return None,
    };
    let day = today.checked_add(span).ok()?;
    Some((day, day))
}

/// Returns the day after a day, and the second after an instant.
fn after(bound: DayOrInstant, calendar: &Calendar) -> Option<DayOrInstant> {
    match bound {
        DayOrInstant::Day(_) => {
            let next = bound.date().tomorrow().ok()?;
            Some(DayOrInstant::from_date(next, &calendar.zone))
        }
        DayOrInstant::Instant(instant) => add_seconds(instant, 1),
    }
}

/// Returns the day before a day, and the second before an instant.
fn before(bound: DayOrInstant, calendar: &Calendar) -> Option<DayOrInstant> {
    match bound {
        DayOrInstant::Day(_) => {
            let previous = bound.date().yesterday().ok()?;
            Some(DayOrInstant::from_date(previous, &calendar.zone))
        }
        DayOrInstant::Instant(instant) => add_seconds(instant, -1),
    }
}

fn add_seconds(instant: Timestamp, seconds: i64) -> Option<DayOrInstant> {
    let shifted = instant.checked_add(SignedDuration::from_secs(seconds));
    shifted.ok().map(DayOrInstant::Instant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::Weekday;
    use jiff::tz::TimeZone;

    /// Wednesday, 31 January 2024.
    fn calendar() -> Calendar {
        Calendar {
            today: Date::constant(2024, 1, 31),
            first_weekday: Weekday::Monday,
            zone: TimeZone::UTC,
        }
    }

    fn range(value: &str) -> Option<(Option<i64>, Option<i64>)> {
        parse_date_range(value, &calendar()).map(seconds)
    }

    #[test]
    fn days_months_years_and_ranges_are_parsed() {
        let between = |from: i64, to: i64| Some((Some(from), Some(to)));
        assert_eq!(range("1970-01-02"), between(86_400, 172_799));
        assert_eq!(range("1970"), between(0, 31_535_999));
        assert_eq!(range("1970-01"), between(0, 31 * 86_400 - 1));
        assert_eq!(range("1970-01-01..1970-01-02"), between(0, 172_799));
        assert_eq!(range(">=1970-01-02"), Some((Some(86_400), None)));
        assert_eq!(range(">1970-01-02"), Some((Some(172_800), None)));
        assert_eq!(range("<1970-01-02"), Some((None, Some(86_399))));
        assert_eq!(range("..1970-01-01"), Some((None, Some(86_399))));
        assert_eq!(range("1970-01-01T00:01Z"), between(60, 60));
        assert_eq!(range(">1970-01-01T00:01Z"), Some((Some(61), None)));
        for invalid in [
            "",
            "..",
            "2024-02-30",
            ">=",
            "2024-13",
            "2024-1-1",
            "1970-01-01..x",
            "7d",
            "-7",
            "-7h",
            "-99999d",
            "this-day",
            "-",
            "+é",
            "-+7d",
            "--7d",
        ] {
            assert_eq!(range(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn words_and_distances_are_relative_to_today() {
        for (value, first, last) in [
            ("today", "2024-01-31", "2024-01-31"),
            ("yesterday", "2024-01-30", "2024-01-30"),
            ("tomorrow", "2024-02-01", "2024-02-01"),
            ("this-week", "2024-01-29", "2024-02-04"),
            ("last-week", "2024-01-22", "2024-01-28"),
            ("next-month", "2024-02-01", "2024-02-29"),
            ("last-year", "2023-01-01", "2023-12-31"),
            ("-7d", "2024-01-24", "2024-01-24"),
            ("+2w", "2024-02-14", "2024-02-14"),
            ("+1m", "2024-02-29", "2024-02-29"),
            ("-1y", "2023-01-31", "2023-01-31"),
            ("-1w..today", "2024-01-24", "2024-01-31"),
        ] {
            let range = parse_date_range(value, &calendar()).unwrap();
            let dates = [range.from, range.to].map(|bound| bound.unwrap().date().to_string());
            assert_eq!(dates, [first, last], "{value}");
        }
    }

    #[test]
    fn days_begin_in_the_zone_of_the_calendar() {
        let calendar = Calendar {
            zone: TimeZone::get("Europe/Berlin").unwrap(),
            ..calendar()
        };
        let range = parse_date_range("1970-01-02", &calendar).map(seconds);
        assert_eq!(range, Some((Some(82_800), Some(169_199))));
    }
}
