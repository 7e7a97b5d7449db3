//! Parameters of statements.

use jiff::Timestamp;
use jiff::civil::Date;
use std::hash::{Hash, Hasher};

/// A parameter of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// An integer; instants are microseconds since 1970 UTC, booleans 0 or 1.
    Int(i64),
    /// A floating point number.
    Real(f64),
    /// A text; dates are `YYYY-MM-DD`.
    Text(String),
    /// A list of ids, for `IN ids(?n)`.
    Ids(Vec<i64>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A sorted set of ids, for `within(x, ?n)`: eight bytes each, big-endian.
    Set(Vec<u8>),
}

/// Floating point numbers are equal when their bits are.
impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Null => {}
            Value::Int(number) => number.hash(state),
            Value::Real(number) => number.to_bits().hash(state),
            Value::Text(text) => text.hash(state),
            Value::Ids(ids) => ids.hash(state),
            Value::Bytes(bytes) | Value::Set(bytes) => bytes.hash(state),
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Int(number)
    }
}

impl From<bool> for Value {
    fn from(on: bool) -> Self {
        Value::Int(i64::from(on))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Real(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Value::Text(text.clone())
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Value::Bytes(bytes)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<Timestamp> for Value {
    fn from(instant: Timestamp) -> Self {
        Value::Int(instant.as_microsecond())
    }
}

impl From<Date> for Value {
    fn from(date: Date) -> Self {
        Value::Text(date.to_string())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}
