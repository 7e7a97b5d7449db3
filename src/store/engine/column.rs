//! Values of columns, and their conversions.

use super::Value;
use jiff::Timestamp;
use jiff::civil::Date;

/// The value of a column.
#[derive(Clone, Copy, Debug)]
pub enum ColumnValue<'v> {
    /// No value.
    Null,
    /// An integer or a boolean.
    Integer(i64),
    /// A floating point number.
    Real(f64),
    /// A text in UTF-8.
    Text(&'v [u8]),
    /// Bytes.
    Blob(&'v [u8]),
}

impl<'v> From<rusqlite::types::ValueRef<'v>> for ColumnValue<'v> {
    fn from(value: rusqlite::types::ValueRef<'v>) -> Self {
        use rusqlite::types::ValueRef;
        match value {
            ValueRef::Null => ColumnValue::Null,
            ValueRef::Integer(number) => ColumnValue::Integer(number),
            ValueRef::Real(number) => ColumnValue::Real(number),
            ValueRef::Text(bytes) => ColumnValue::Text(bytes),
            ValueRef::Blob(bytes) => ColumnValue::Blob(bytes),
        }
    }
}

impl ColumnValue<'_> {
    /// Describes the type.
    pub fn type_name(self) -> &'static str {
        match self {
            ColumnValue::Null => "no value",
            ColumnValue::Integer(_) => "an integer",
            ColumnValue::Real(_) => "a floating point number",
            ColumnValue::Text(_) => "text",
            ColumnValue::Blob(_) => "bytes",
        }
    }
}

/// A type that can be read from a column.
pub trait FromColumn: Sized {
    /// Converts the value. Fails with a description of the problem.
    fn from_column(value: ColumnValue<'_>) -> Result<Self, String>;

    /// Returns what a row has in place of a value that cannot be converted; `None` if the row cannot be
    /// read without it.
    fn substitute() -> Option<Self> {
        None
    }
}

fn unexpected<T>(value: ColumnValue<'_>, expected: &str) -> Result<T, String> {
    Err(format!("{} instead of {expected}", value.type_name()))
}

impl FromColumn for i64 {
    fn from_column(value: ColumnValue<'_>) -> Result<Self, String> {
        match value {
            ColumnValue::Integer(number) => Ok(number),
            other => unexpected(other, "an integer"),
        }
    }
}

impl FromColumn for bool {
    fn from_column(value: ColumnValue<'_>) -> Result<Self, String> {
        i64::from_column(value).map(|number| number != 0)
    }
}

impl FromColumn for f64 {
    fn from_column(value: ColumnValue<'_>) -> Result<Self, String> {
        match value {
            ColumnValue::Real(number) if number.is_finite() => Ok(number),
            ColumnValue::Real(number) => Err(format!("{number} is not finite")),
            ColumnValue::Integer(number) => Ok(number as f64),
            other => unexpected(other, "a number"),
        }
    }

    /// Zero.
    fn substitute() -> Option<Self> {
        Some(0.0)
    }
}

impl FromColumn for String {
    fn from_column(value: ColumnValue<'_>) -> Result<Self, String> {
        match value {
            ColumnValue::Text(bytes) => std::str::from_utf8(bytes)
                .map(str::to_owned)
                .map_err(|error| error.to_string()),
            other => unexpected(other, "text"),
        }
    }
}

impl FromColumn for Timestamp {
    fn from_column(value: ColumnValue<'_>) -> Result<Self, String> {
        Timestamp::from_microsecond(i64::from_column(value)?).map_err(|error| error.to_string())
    }

    /// The beginning of 1970.
    fn substitute() -> Option<Self> {
        Some(Timestamp::UNIX_EPOCH)
    }
}

impl FromColumn for Date {
    fn from_column(value: ColumnValue<'_>) -> Result<Self, String> {
        match value {
            ColumnValue::Text(bytes) => {
                let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
                text.parse().map_err(|error: jiff::Error| error.to_string())
            }
            other => unexpected(other, "a date"),
        }
    }

    /// The first day of 1970.
    fn substitute() -> Option<Self> {
        Some(Date::constant(1970, 1, 1))
    }
}

impl<T: FromColumn> FromColumn for Option<T> {
    fn from_column(value: ColumnValue<'_>) -> Result<Self, String> {
        match value {
            ColumnValue::Null => Ok(None),
            other => T::from_column(other).map(Some),
        }
    }

    /// No value, where the type has a substitute.
    fn substitute() -> Option<Self> {
        T::substitute().map(|_| None)
    }
}

/// Keeps the type of the column; for code that copies rows of any table.
impl FromColumn for Value {
    fn from_column(value: ColumnValue<'_>) -> Result<Self, String> {
        match value {
            ColumnValue::Null => Ok(Value::Null),
            ColumnValue::Integer(number) => Ok(Value::Int(number)),
            ColumnValue::Real(number) => Ok(Value::Real(number)),
            ColumnValue::Text(_) => String::from_column(value).map(Value::Text),
            ColumnValue::Blob(bytes) => Ok(Value::Bytes(bytes.to_vec())),
        }
    }
}

impl FromColumn for Vec<u8> {
    fn from_column(value: ColumnValue<'_>) -> Result<Self, String> {
        match value {
            ColumnValue::Blob(bytes) => Ok(bytes.to_vec()),
            other => unexpected(other, "bytes"),
        }
    }
}
