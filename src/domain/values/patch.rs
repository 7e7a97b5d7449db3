//! The value of a field in an update request.

/// A change of a field: leave it alone, clear it, or set it.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Patch<T> {
    /// The request does not have the field.
    #[default]
    Unset,
    /// The request has the field without a value.
    Clear,
    /// The request has this value.
    Set(T),
}

impl<T> Patch<T> {
    /// Returns the value, if there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Patch::Set(value) => Some(value),
            Patch::Unset | Patch::Clear => None,
        }
    }

    /// Whether the request has the field, with or without a value.
    pub fn is_present(&self) -> bool {
        !matches!(self, Patch::Unset)
    }

    /// Converts the value.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Patch::Unset => Patch::Unset,
            Patch::Clear => Patch::Clear,
            Patch::Set(value) => Patch::Set(convert(value)),
        }
    }

    /// Returns the field after the change: the old value, none, or the new one.
    pub fn apply_to(&self, before: Option<T>) -> Option<T>
    where
        T: Clone,
    {
        match self {
            Patch::Unset => before,
            Patch::Clear => None,
            Patch::Set(value) => Some(value.clone()),
        }
    }
}

impl Patch<String> {
    /// Returns the text after the change; empty if it is cleared.
    pub fn apply_to_text(&self, before: &str) -> String {
        match self {
            Patch::Unset => before.to_owned(),
            Patch::Clear => String::new(),
            Patch::Set(text) => text.clone(),
        }
    }

    /// Like [`Patch::apply_to_text`], without white space around a new text.
    pub fn apply_trimmed(&self, before: &str) -> String {
        match self {
            Patch::Unset => before.to_owned(),
            Patch::Clear => String::new(),
            Patch::Set(text) => text.trim().to_owned(),
        }
    }
}
