//! Rows of a query, and the conversions of their columns.

use super::{StatementError, Value};
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::types::ValueRef;
use std::cell::Cell;

/// One row of a query.
pub struct Row<'r> {
    row: &'r rusqlite::Row<'r>,
    /// The index of the column that [`Row::next`] reads.
    next: Cell<usize>,
}

impl<'r> Row<'r> {
    pub(super) fn new(row: &'r rusqlite::Row<'r>) -> Row<'r> {
        Row {
            row,
            next: Cell::new(0),
        }
    }

    /// Returns the value of the next column, in the order of the `SELECT`. The fields of a record
    /// stand in the order of its columns, so nobody counts columns.
    pub fn next<T: FromColumn>(&self) -> Result<T, StatementError> {
        let column = self.next.get();
        self.next.set(column + 1);
        self.get(column)
    }

    /// Returns the value of a column; the first column is 0.
    pub fn get<T: FromColumn>(&self, column: usize) -> Result<T, StatementError> {
        let value = self.row.get_ref(column)?;
        T::from_column(value).map_err(|problem| StatementError::Column { column, problem })
    }
}

/// A type that can be read from a column.
pub trait FromColumn: Sized {
    /// Converts the value. Fails with what is wrong with it.
    fn from_column(value: ValueRef<'_>) -> Result<Self, String>;
}

fn unexpected<T>(value: ValueRef<'_>, expected: &str) -> Result<T, String> {
    Err(format!("{} instead of {expected}", value.data_type()))
}

impl FromColumn for i64 {
    fn from_column(value: ValueRef<'_>) -> Result<Self, String> {
        match value {
            ValueRef::Integer(number) => Ok(number),
            other => unexpected(other, "an integer"),
        }
    }
}

impl FromColumn for bool {
    fn from_column(value: ValueRef<'_>) -> Result<Self, String> {
        i64::from_column(value).map(|number| number != 0)
    }
}

impl FromColumn for f64 {
    fn from_column(value: ValueRef<'_>) -> Result<Self, String> {
        match value {
            ValueRef::Real(number) => Ok(number),
            ValueRef::Integer(number) => Ok(number as f64),
            other => unexpected(other, "a number"),
        }
    }
}

impl FromColumn for String {
    fn from_column(value: ValueRef<'_>) -> Result<Self, String> {
        match value {
            ValueRef::Text(bytes) => std::str::from_utf8(bytes)
                .map(str::to_owned)
                .map_err(|error| error.to_string()),
            other => unexpected(other, "text"),
        }
    }
}

impl FromColumn for Timestamp {
    fn from_column(value: ValueRef<'_>) -> Result<Self, String> {
        Timestamp::from_microsecond(i64::from_column(value)?).map_err(|error| error.to_string())
    }
}

impl FromColumn for Date {
    fn from_column(value: ValueRef<'_>) -> Result<Self, String> {
        match value {
            ValueRef::Text(bytes) => {
                let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
                text.parse().map_err(|error: jiff::Error| error.to_string())
            }
            other => unexpected(other, "a date"),
        }
    }
}

impl<T: FromColumn> FromColumn for Option<T> {
    fn from_column(value: ValueRef<'_>) -> Result<Self, String> {
        match value {
            ValueRef::Null => Ok(None),
            other => T::from_column(other).map(Some),
        }
    }
}

/// Keeps the type of the column; for code that copies rows of any table.
impl FromColumn for Value {
    fn from_column(value: ValueRef<'_>) -> Result<Self, String> {
        match value {
            ValueRef::Null => Ok(Value::Null),
            ValueRef::Integer(number) => Ok(Value::Int(number)),
            ValueRef::Real(number) => Ok(Value::Real(number)),
            ValueRef::Text(_) => String::from_column(value).map(Value::Text),
            ValueRef::Blob(_) => unexpected(value, "a value"),
        }
    }
}
