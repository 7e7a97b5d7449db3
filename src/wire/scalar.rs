//! What can stand in a single field?
//!
//! Invariant: every [`Scalar`] is first viewed as one [`Value`], so both writers see the same cases.
//! Imports jiff, for dates and timestamps.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::Date;

/// A scalar as the writers see it.
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
    /// `YYYY-MM-DDTHH:MM:SSZ`, UTC, the fraction of the second dropped.
    Timestamp(Timestamp),
}

/// A value that fills one field or one attribute (contract 1.2).
pub trait Scalar {
    /// How the writers see it.
    fn view(&self) -> Value<'_>;
}

impl<S: Scalar + ?Sized> Scalar for &S {
    fn view(&self) -> Value<'_> {
        (**self).view()
    }
}

/// `None` is null.
impl<S: Scalar> Scalar for Option<S> {
    fn view(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, Scalar::view)
    }
}

impl Scalar for Value<'_> {
    fn view(&self) -> Value<'_> {
        *self
    }
}

impl Scalar for str {
    fn view(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Scalar for String {
    fn view(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Scalar for Cow<'_, str> {
    fn view(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Scalar for bool {
    fn view(&self) -> Value<'_> {
        Value::Bool(*self)
    }
}

impl Scalar for i64 {
    fn view(&self) -> Value<'_> {
        Value::Integer(*self)
    }
}

impl Scalar for i32 {
    fn view(&self) -> Value<'_> {
        Value::Integer(i64::from(*self))
    }
}

impl Scalar for u32 {
    fn view(&self) -> Value<'_> {
        Value::Unsigned(u64::from(*self))
    }
}

impl Scalar for u64 {
    fn view(&self) -> Value<'_> {
        Value::Unsigned(*self)
    }
}

impl Scalar for usize {
    fn view(&self) -> Value<'_> {
        Value::Unsigned(*self as u64)
    }
}

/// Not-a-number and the infinities are null: neither format has them.
impl Scalar for f64 {
    fn view(&self) -> Value<'_> {
        if self.is_finite() { Value::Float(*self) } else { Value::Null }
    }
}

impl Scalar for Date {
    fn view(&self) -> Value<'_> {
        Value::Date(*self)
    }
}

impl Scalar for Timestamp {
    fn view(&self) -> Value<'_> {
        Value::Timestamp(*self)
    }
}
