//! What a request says of a value.

/// A value that a request may leave alone, clear, or set.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Given<T> {
    /// Not mentioned.
    #[default]
    Absent,
    /// Mentioned without a value.
    Empty,
    /// Set.
    Value(T),
}

impl<T> Given<T> {
    /// The value, if there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Given::Value(value) => Some(value),
            Given::Absent | Given::Empty => None,
        }
    }

    /// Whether it was mentioned at all.
    pub fn is_mentioned(&self) -> bool {
        !matches!(self, Given::Absent)
    }

    /// The same with the value turned into another one.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Given<U> {
        match self {
            Given::Absent => Given::Absent,
            Given::Empty => Given::Empty,
            Given::Value(value) => Given::Value(make(value)),
        }
    }

    /// What it becomes when this was asked for: the old value, none, or the new one.
    pub fn over(&self, before: Option<T>) -> Option<T>
    where
        T: Clone,
    {
        match self {
            Given::Absent => before,
            Given::Empty => None,
            Given::Value(value) => Some(value.clone()),
        }
    }
}
