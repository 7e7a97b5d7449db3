//! How are numbers and times spelled?
//!
//! Invariant: both formats spell them alike, with ASCII characters that neither has to escape.
//! By hand, because a page of issues holds hundreds of them and `core::fmt` is slow at padding.

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

/// Appends a number that may be negative.
pub(super) fn integer(out: &mut String, number: i64) {
    if number < 0 {
        out.push('-');
    }
    unsigned(out, number.unsigned_abs());
}

/// Appends a number in decimal.
pub(super) fn unsigned(out: &mut String, mut number: u64) {
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
    ascii(out, &digits[start..]);
}

/// Appends a finite number as `10.0`, `0.0` or `3.333333` (contract 1.2): the shortest digits that read back
/// as the same number, with an exponent only outside 1e-7 … 1e16. Negative zero, which an empty sum is in
/// Rust, becomes `0.0`.
pub(super) fn float(out: &mut String, number: f64) {
    let size = number.abs();
    // writing to a String cannot fail
    let _ = if size == 0.0 {
        out.write_str("0.0")
    } else if !(1e-7..1e16).contains(&size) {
        write!(out, "{number:?}")
    } else if number.fract() == 0.0 {
        write!(out, "{number}.0")
    } else {
        write!(out, "{number}")
    };
}

/// Appends `YYYY-MM-DD` (contract 1.2).
pub(super) fn date(out: &mut String, date: Date) {
    year(out, date.year());
    let mut text = *b"-00-00";
    pair(&mut text, 1, date.month());
    pair(&mut text, 4, date.day());
    ascii(out, &text);
}

/// Appends `YYYY-MM-DDTHH:MM:SSZ`, in UTC, the fraction of the second dropped (contract 1.2).
pub(super) fn timestamp(out: &mut String, at: Timestamp) {
    let at = Offset::UTC.to_datetime(at);
    date(out, at.date());
    let mut text = *b"T00:00:00Z";
    pair(&mut text, 1, at.hour());
    pair(&mut text, 4, at.minute());
    pair(&mut text, 7, at.second());
    ascii(out, &text);
}

/// Four digits; a year before 0 as ISO 8601 writes it, with a sign and six.
fn year(out: &mut String, year: i16) {
    let mut left = year.unsigned_abs();
    let mut text = *b"-000000";
    for place in text[1..].iter_mut().rev() {
        *place = digit(u64::from(left % 10));
        left /= 10;
    }
    ascii(out, if year < 0 { &text } else { &text[3..] });
}

fn pair(text: &mut [u8], at: usize, number: i8) {
    let number = u64::from(number.unsigned_abs());
    text[at] = digit(number / 10);
    text[at + 1] = digit(number % 10);
}

fn digit(number: u64) -> u8 {
    b'0' + (number % 10) as u8
}

fn ascii(out: &mut String, text: &[u8]) {
    debug_assert!(text.is_ascii());
    if let Ok(text) = std::str::from_utf8(text) {
        out.push_str(text);
    }
}
