//! The values of fields and attributes.
//!
//! Invariant: every [`Scalar`] is converted to a [`Value`] first, so both writers handle the same
//! cases.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::Date;

/// A scalar in the form that the writers handle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// `null`; in XML an empty element `<x/>`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// An integer that may not fit `i64`.
    Unsigned(u64),
    /// A finite number: `10.0`, `3.333333`.
    Float(f64),
    /// Text, escaped by the writer.
    Text(&'a str),
    /// `YYYY-MM-DD`.
    Date(Date),
    /// `YYYY-MM-DDTHH:MM:SSZ`, in UTC, without the fraction of the second.
    Timestamp(Timestamp),
}

/// A value of a field or an attribute (compatibility 3.2).
pub trait Scalar {
    /// Returns the form that the writers handle.
    fn as_value(&self) -> Value<'_>;
}

impl<S: Scalar + ?Sized> Scalar for &S {
    fn as_value(&self) -> Value<'_> {
        (**self).as_value()
    }
}

/// `None` is null.
impl<S: Scalar> Scalar for Option<S> {
    fn as_value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, Scalar::as_value)
    }
}

impl Scalar for Value<'_> {
    fn as_value(&self) -> Value<'_> {
        *self
    }
}

impl Scalar for str {
    fn as_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Scalar for String {
    fn as_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Scalar for Cow<'_, str> {
    fn as_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Scalar for bool {
    fn as_value(&self) -> Value<'_> {
        Value::Bool(*self)
    }
}

impl Scalar for i64 {
    fn as_value(&self) -> Value<'_> {
        Value::Integer(*self)
    }
}

impl Scalar for i32 {
    fn as_value(&self) -> Value<'_> {
        Value::Integer(i64::from(*self))
    }
}

impl Scalar for u32 {
    fn as_value(&self) -> Value<'_> {
        Value::Unsigned(u64::from(*self))
    }
}

impl Scalar for u64 {
    fn as_value(&self) -> Value<'_> {
        Value::Unsigned(*self)
    }
}

impl Scalar for usize {
    fn as_value(&self) -> Value<'_> {
        Value::Unsigned(*self as u64)
    }
}

/// NaN and infinities are null: neither format can express them.
impl Scalar for f64 {
    fn as_value(&self) -> Value<'_> {
        if self.is_finite() {
            Value::Float(*self)
        } else {
            Value::Null
        }
    }
}

impl Scalar for Date {
    fn as_value(&self) -> Value<'_> {
        Value::Date(*self)
    }
}

impl Scalar for Timestamp {
    fn as_value(&self) -> Value<'_> {
        Value::Timestamp(*self)
    }
}
