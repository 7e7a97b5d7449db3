//! Ranges of days, months and years.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Returns the year of a timestamp.
pub fn year(micros: i64) -> i64 {
    i64::from(
        Timestamp::from_microsecond(micros)
            .unwrap()
            .to_zoned(TimeZone::UTC)
            .year(),
    )
}

fn parse_padded(text: &str, month: &str) -> Date {
    format!("{text}{}", &month[text.len() - 4..])
        .parse()
        .unwrap()
}

/// Returns the first day of a year, a month or a day.
fn first_day(text: &str) -> Date {
    parse_padded(text, "-01-01")
}

/// Returns the last day of a year, a month or a day.
fn last_day(text: &str) -> Date {
    match text.len() {
        4 => parse_padded(text, "-12-31"),
        7 => first_day(text).last_of_month(),
        _ => first_day(text),
    }
}

/// Returns whether a timestamp is in a range of days, months or years.
pub fn within(span: &str, micros: i64) -> bool {
    let day = Timestamp::from_microsecond(micros)
        .unwrap()
        .to_zoned(TimeZone::UTC)
        .date();
    within_day(span, day)
}

/// Returns whether a day is in a range of days, months or years.
pub fn within_day(span: &str, day: Date) -> bool {
    if let Some((from, to)) = span.split_once("..") {
        return (from.is_empty() || day >= first_day(from))
            && (to.is_empty() || day <= last_day(to));
    }
    match (
        span.strip_prefix(">="),
        span.strip_prefix("<="),
        span.strip_prefix('>'),
        span.strip_prefix('<'),
    ) {
        (Some(from), ..) => day >= first_day(from),
        (_, Some(to), ..) => day <= last_day(to),
        (_, _, Some(after), _) => day > last_day(after),
        (_, _, _, Some(before)) => day < first_day(before),
        _ => day >= first_day(span) && day <= last_day(span),
    }
}
