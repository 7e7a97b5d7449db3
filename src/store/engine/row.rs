//! What comes out of a statement.

use super::{StatementError, Value};
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::types::ValueRef;

/// One row of an answer.
pub struct Row<'r>(pub(super) &'r rusqlite::Row<'r>);

impl Row<'_> {
    /// The value of a column, counted from 0.
    pub fn read<T: FromColumn>(&self, column: usize) -> Result<T, StatementError> {
        let value = self.0.get_ref(column)?;
        T::from_column(value).map_err(|problem| StatementError::Column { column, problem })
    }
}

/// A type that a column can hold.
pub trait FromColumn: Sized {
    /// The value, or what is wrong with it.
    fn from_column(value: ValueRef<'_>) -> Result<Self, String>;
}

fn unexpected<T>(value: ValueRef<'_>, wanted: &str) -> Result<T, String> {
    Err(format!("{} instead of {wanted}", value.data_type()))
}

impl FromColumn for i64 {
    fn from_column(value: ValueRef<'_>) -> Result<Self, String> {
        match value {
            ValueRef::Integer(number) => Ok(number),
            other => unexpected(other, "a whole number"),
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
            ValueRef::Text(bytes) => std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| error.to_string()),
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

/// As it stands there; for what copies rows without knowing what they mean.
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
