//! Writes numbers, dates and timestamps.
//!
//! Invariant: both formats use the same text, in ASCII characters that neither needs to escape.
//! Without `core::fmt`, which is slow at padding: a page of issues has hundreds of these values.

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

/// Appends a signed integer.
pub(super) fn write_integer(out: &mut String, number: i64) {
    if number < 0 {
        out.push('-');
    }
    write_unsigned(out, number.unsigned_abs());
}

/// Appends an unsigned integer.
pub(super) fn write_unsigned(out: &mut String, mut number: u64) {
    let mut digits = [b'0'; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = digit(number % 10);
        number /= 10;
        if number == 0 {
            break;
        }
    }
    push_ascii(out, &digits[start..]);
}

/// Appends a finite number as `10.0`, `0.0` or `3.333333` (compatibility 3.2): the shortest digits
/// that parse back to the same number, with an exponent only outside 1e-7 … 1e16. Negative zero,
/// the sum of nothing in Rust, becomes `0.0`.
pub(super) fn write_float(out: &mut String, number: f64) {
    let magnitude = number.abs();
    // Writing to a String cannot fail.
    let _ = if magnitude == 0.0 {
        out.write_str("0.0")
    } else if !(1e-7..1e16).contains(&magnitude) {
        write!(out, "{number:?}")
    } else if number.fract() == 0.0 {
        write!(out, "{number}.0")
    } else {
        write!(out, "{number}")
    };
}

/// Appends `YYYY-MM-DD` (compatibility 3.2).
pub(super) fn write_date(out: &mut String, date: Date) {
    write_year(out, date.year());
    let mut text = *b"-00-00";
    put_two_digits(&mut text, 1, date.month());
    put_two_digits(&mut text, 4, date.day());
    push_ascii(out, &text);
}

/// Appends `YYYY-MM-DDTHH:MM:SSZ`, in UTC, without the fraction of the second (compatibility 3.2).
pub(super) fn write_timestamp(out: &mut String, at: Timestamp) {
    let at = Offset::UTC.to_datetime(at);
    write_date(out, at.date());
    let mut text = *b"T00:00:00Z";
    put_two_digits(&mut text, 1, at.hour());
    put_two_digits(&mut text, 4, at.minute());
    put_two_digits(&mut text, 7, at.second());
    push_ascii(out, &text);
}

/// Appends a year with four digits; a negative one with a sign and six digits, as in ISO 8601.
fn write_year(out: &mut String, year: i16) {
    let mut rest = year.unsigned_abs();
    let mut text = *b"-000000";
    for character in text[1..].iter_mut().rev() {
        *character = digit(u64::from(rest % 10));
        rest /= 10;
    }
    push_ascii(out, if year < 0 { &text } else { &text[3..] });
}

fn put_two_digits(text: &mut [u8], index: usize, number: i8) {
    let number = u64::from(number.unsigned_abs());
    text[index] = digit(number / 10);
    text[index + 1] = digit(number % 10);
}

fn digit(number: u64) -> u8 {
    b'0' + (number % 10) as u8
}

fn push_ascii(out: &mut String, text: &[u8]) {
    debug_assert!(text.is_ascii());
    if let Ok(text) = std::str::from_utf8(text) {
        out.push_str(text);
    }
}
