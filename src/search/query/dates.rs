//! Ranges of days and times in qualifiers.

use crate::schema::columns::Predicate;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Operators of dates, longest first.
pub(super) const DATE_OPERATORS: [&str; 5] = [">=", "<=", ">", "<", ""];

/// Parses `2024-01-31`, `>=2024-01-31`, `2024-01-01..2024-01-31` or `..2024-01-31`: days, or times
/// such as `2024-01-31T10:00Z`, in UTC.
pub(super) fn parse_date_range(value: &str) -> Option<Predicate> {
    if let Some((from, to)) = value.split_once("..") {
        let from = parse_bound(from)?;
        let to = parse_bound(to)?;
        if from.is_none() && to.is_none() {
            return None;
        }
        return Some(Predicate::Between(
            from.map(|(first, _)| first),
            to.map(|(_, last)| last),
        ));
    }
    let operator = DATE_OPERATORS
        .into_iter()
        .find(|operator| value.starts_with(operator))?;
    let (first, last) = parse_period(&value[operator.len()..])?;
    Some(match operator {
        ">=" => Predicate::Between(Some(first), None),
        "<=" => Predicate::Between(None, Some(last)),
        ">" => Predicate::Between(Some(last + 1), None),
        "<" => Predicate::Between(None, Some(first - 1)),
        _ => Predicate::Between(Some(first), Some(last)),
    })
}

/// Parses an end of a range; `Some(None)` when it is open.
fn parse_bound(text: &str) -> Option<Option<(i64, i64)>> {
    if text.is_empty() || text == "*" {
        Some(None)
    } else {
        parse_period(text).map(Some)
    }
}

/// Returns the first and the last second of a year, a month, a day or an instant.
fn parse_period(text: &str) -> Option<(i64, i64)> {
    match text.len() {
        4 if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            let first: Date = format!("{text}-01-01").parse().ok()?;
            seconds_of_days(first, first.last_of_year())
        }
        7 => {
            let first: Date = format!("{text}-01").parse().ok()?;
            seconds_of_days(first, first.last_of_month())
        }
        10 => {
            let day: Date = text.parse().ok()?;
            seconds_of_days(day, day)
        }
        _ => {
            let (date, time) = text.strip_suffix('Z').unwrap_or(text).split_once('T')?;
            let time = if time.len() == 5 {
                format!("{time}:00")
            } else {
                time.to_owned()
            };
            let instant: Timestamp = format!("{date}T{time}Z").parse().ok()?;
            Some((instant.as_second(), instant.as_second()))
        }
    }
}

/// Returns the first second of one day and the last second of another one.
fn seconds_of_days(first: Date, last: Date) -> Option<(i64, i64)> {
    let next = last.tomorrow().ok()?;
    Some((first_second(first)?, first_second(next)? - 1))
}

fn first_second(day: Date) -> Option<i64> {
    let midnight = day.to_zoned(TimeZone::UTC).ok()?;
    Some(midnight.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(from: i64, to: i64) -> Option<Predicate> {
        Some(Predicate::Between(Some(from), Some(to)))
    }

    #[test]
    fn days_months_years_and_ranges_are_parsed() {
        assert_eq!(parse_date_range("1970-01-02"), between(86_400, 172_799));
        assert_eq!(parse_date_range("1970"), between(0, 31_535_999));
        assert_eq!(parse_date_range("1970-01"), between(0, 31 * 86_400 - 1));
        assert_eq!(
            parse_date_range("1970-01-01..1970-01-02"),
            between(0, 172_799)
        );
        assert_eq!(
            parse_date_range(">=1970-01-02"),
            Some(Predicate::Between(Some(86_400), None))
        );
        assert_eq!(
            parse_date_range(">1970-01-02"),
            Some(Predicate::Between(Some(172_800), None))
        );
        assert_eq!(
            parse_date_range("<1970-01-02"),
            Some(Predicate::Between(None, Some(86_399)))
        );
        assert_eq!(
            parse_date_range("..1970-01-01"),
            Some(Predicate::Between(None, Some(86_399)))
        );
        assert_eq!(parse_date_range("1970-01-01T00:01Z"), between(60, 60));
        for invalid in [
            "",
            "..",
            "yesterday",
            "2024-02-30",
            ">=",
            "2024-13",
            "2024-1-1",
            "1970-01-01..x",
        ] {
            assert_eq!(parse_date_range(invalid), None, "{invalid}");
        }
    }
}
