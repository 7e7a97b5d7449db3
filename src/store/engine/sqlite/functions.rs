//! The functions of portable SQL that SQLite does not have.

use crate::engine::deadline::Deadline;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, Value as Native, ValueRef};

/// `folded` checks the deadline before it folds a text of more than this many bytes.
const DEADLINE_CHECK_BYTES: usize = 16 * 1024;

/// Adds the functions to a connection with this deadline.
pub(super) fn register(
    connection: &rusqlite::Connection,
    deadline: &Deadline,
) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let function = {
        let deadline = deadline.clone();
        move |call: &Context<'_>| folded(call, &deadline)
    };
    connection.create_scalar_function("folded", 1, flags, function)?;
    connection.create_scalar_function("within", 2, flags, within)?;
    connection.create_scalar_function("local_date", 2, flags, local_date)?;
    connection.create_scalar_function("monday", 1, flags, monday)?;
    Ok(())
}

/// `folded(x)`: the text in lower case, for case-insensitive comparisons. SQLite's own `lower`
/// handles ASCII only. Interrupts the statement at its deadline, because folding long texts between
/// two checks of the progress handler may take long.
fn folded(call: &Context<'_>, deadline: &Deadline) -> rusqlite::Result<ToSqlOutput<'static>> {
    let ValueRef::Text(bytes) = call.get_raw(0) else {
        return Ok(ToSqlOutput::Owned(Native::Null));
    };
    if bytes.len() > DEADLINE_CHECK_BYTES && deadline.has_passed() {
        return Err(rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_INTERRUPT),
            None,
        ));
    }
    let lower = if bytes.is_ascii() {
        bytes.to_ascii_lowercase()
    } else {
        String::from_utf8_lossy(bytes).to_lowercase().into_bytes()
    };
    Ok(ToSqlOutput::Owned(Native::Text(
        String::from_utf8(lower).unwrap_or_default(),
    )))
}

/// `monday(x)`: the first day of the week of a date, as ISO 8601 counts weeks; NULL for other text.
fn monday(call: &Context<'_>) -> rusqlite::Result<ToSqlOutput<'static>> {
    let ValueRef::Text(bytes) = call.get_raw(0) else {
        return Ok(ToSqlOutput::Owned(Native::Null));
    };
    let day = std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| text.parse::<Date>().ok());
    let monday = day.map(|day| {
        day.saturating_sub(Span::new().days(i64::from(day.weekday().to_monday_zero_offset())))
    });
    Ok(ToSqlOutput::Owned(monday.map_or(Native::Null, |monday| {
        Native::Text(monday.to_string())
    })))
}

/// `local_date(x, zone)`: the date of an instant in microseconds in an IANA time zone; NULL for an
/// unknown zone.
fn local_date(call: &Context<'_>) -> rusqlite::Result<ToSqlOutput<'static>> {
    let (ValueRef::Integer(instant), ValueRef::Text(name)) = (call.get_raw(0), call.get_raw(1))
    else {
        return Ok(ToSqlOutput::Owned(Native::Null));
    };
    let zone = std::str::from_utf8(name)
        .ok()
        .and_then(|name| TimeZone::get(name).ok());
    let instant = Timestamp::from_microsecond(instant).ok();
    let date = zone
        .zip(instant)
        .map(|(zone, instant)| zone.to_datetime(instant).date());
    Ok(ToSqlOutput::Owned(date.map_or(Native::Null, |date| {
        Native::Text(date.to_string())
    })))
}

/// `within(x, ?n)`: whether x is in the sorted set of ids in parameter n. For a large set this is
/// cheaper than the table that `IN ids(?n)` builds for every statement, and it never becomes the
/// outer loop of the plan.
fn within(call: &Context<'_>) -> rusqlite::Result<ToSqlOutput<'static>> {
    let (ValueRef::Integer(id), ValueRef::Blob(bytes)) = (call.get_raw(0), call.get_raw(1)) else {
        return Ok(ToSqlOutput::Owned(Native::Integer(0)));
    };
    let (ids, _) = bytes.as_chunks::<8>();
    let is_member = ids
        .binary_search_by_key(&id, |bytes| i64::from_be_bytes(*bytes))
        .is_ok();
    Ok(ToSqlOutput::Owned(Native::Integer(i64::from(is_member))))
}
