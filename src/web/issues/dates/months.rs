//! The months that a calendar or a chart shows: the parameters `year`, `month` and `months`.

use crate::prelude::*;
use jiff::Span;
use jiff::civil::Date;
use std::ops::RangeInclusive;

/// The parameters.
pub const PARAMETERS: [&str; 3] = ["year", "month", "months"];
/// The years that can be shown.
pub const YEARS: RangeInclusive<i16> = 1900..=2999;
/// How many months can be shown at once.
pub const COUNTS: RangeInclusive<i8> = 1..=24;

/// Some months in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Months {
    /// The first day of the first month.
    pub first: Date,
    /// How many months there are.
    pub count: i8,
}

impl Months {
    /// Parses the parameters. Year and month are those of today and the number of months is
    /// `default_count` where the request does not have them.
    ///
    /// # Errors
    /// `Invalid` with a message for each parameter that is out of range.
    pub fn parse(
        request: &RequestContext,
        today: Date,
        default_count: i8,
    ) -> Result<Months, Error> {
        let mut errors = ValidationErrors::new();
        let year = number(request, ("year", "Year"), today.year(), &YEARS, &mut errors);
        let month = number(
            request,
            ("month", "Month"),
            i16::from(today.month()),
            &(1..=12),
            &mut errors,
        );
        let counts = i16::from(*COUNTS.start())..=i16::from(*COUNTS.end());
        let count = number(
            request,
            ("months", "Months"),
            i16::from(default_count),
            &counts,
            &mut errors,
        );
        let day = i8::try_from(month).ok();
        let first = day.and_then(|month| Date::new(year, month, 1).ok());
        match first.zip(i8::try_from(count).ok()) {
            Some((first, count)) if errors.is_empty() => Ok(Months { first, count }),
            _ => Err(Error::Invalid(errors)),
        }
    }

    /// Returns the last day.
    pub fn last_day(self) -> Date {
        self.first
            .saturating_add(Span::new().months(self.count - 1))
            .last_of_month()
    }

    /// Returns as many months that begin so many months later.
    #[must_use]
    pub fn moved_by(self, months: i8) -> Months {
        Months {
            first: self.first.saturating_add(Span::new().months(months)),
            ..self
        }
    }

    /// Returns their names, such as "November 2026 – January 2027".
    pub fn label(self) -> String {
        self.format("%B %Y")
    }

    /// Returns short names, such as "Nov 2026 – Jan 2027".
    pub fn short_label(self) -> String {
        self.format("%b %Y")
    }

    fn format(self, format: &str) -> String {
        let first = self.first.strftime(format);
        if self.count == 1 {
            first.to_string()
        } else {
            format!("{first} – {}", self.last_day().strftime(format))
        }
    }

    /// Whether they can be shown.
    pub fn is_in_range(self) -> bool {
        YEARS.contains(&self.first.year())
    }
}

/// Returns a parameter with its name and label; adds an error if it is out of range.
fn number(
    request: &RequestContext,
    (name, label): (&str, &str),
    default: i16,
    range: &RangeInclusive<i16>,
    errors: &mut ValidationErrors,
) -> i16 {
    let Some(value) = request.query.get(name) else {
        return default;
    };
    let text = value.as_text();
    let number = text.as_deref().map(str::trim).and_then(|text| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_number)
    });
    match number.filter(|number| range.contains(number)) {
        Some(number) => number,
        None if text.is_some_and(|text| text.trim().is_empty()) => default,
        None => {
            let first = range.start();
            let last = range.end();
            errors.add(name, label, &format!("must be {first} to {last}"));
            default
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_cross_the_end_of_the_year() {
        let months = Months {
            first: Date::constant(2026, 11, 1),
            count: 4,
        };
        assert_eq!(months.last_day(), Date::constant(2027, 2, 28));
        assert_eq!(months.label(), "November 2026 – February 2027");
        assert_eq!(months.moved_by(-11).first, Date::constant(2025, 12, 1));
        assert_eq!(months.short_label(), "Nov 2026 – Feb 2027");
        let month = Months { count: 1, ..months };
        assert_eq!(month.label(), "November 2026");
        assert_eq!(month.last_day(), Date::constant(2026, 11, 30));
    }
}
