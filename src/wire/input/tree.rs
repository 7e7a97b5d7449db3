//! The tree that every format is parsed into.

use std::borrow::Cow;

/// Maximum depth of objects and lists in a body.
pub const MAX_DEPTH: usize = 32;

/// Maximum number of values of any kind in a body.
pub const MAX_NODES: usize = 50_000;

/// A value sent by a client.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Input {
    /// JSON `null`, an XML element without content or with `nil="true"`, a parameter without `=`.
    #[default]
    Null,
    /// JSON `true` and `false`, XML `type="boolean"`.
    Bool(bool),
    /// A decimal number with the precision of 64 bits: `12`, `-3`, `8.5`, `1e300`.
    Number(String),
    /// Text; every value of a query string or a form is text.
    Text(String),
    /// An ordered list.
    List(Vec<Input>),
    /// Named values in order. JSON and XML may repeat a name; [`Input::get`] then returns the last
    /// value.
    Map(Vec<(String, Input)>),
}

impl Input {
    /// Returns the tree with `map` applied to every text, but to no key.
    #[must_use]
    pub fn map_texts(self, map: fn(&str) -> String) -> Input {
        match self {
            Input::Text(text) => Input::Text(map(&text)),
            Input::List(items) => {
                Input::List(items.into_iter().map(|item| item.map_texts(map)).collect())
            }
            Input::Map(entries) => Input::Map(
                entries
                    .into_iter()
                    .map(|(key, value)| (key, value.map_texts(map)))
                    .collect(),
            ),
            other => other,
        }
    }

    /// Returns the value of a key, the last one if it is repeated; `None` if it is absent or this
    /// is not a map.
    pub fn get(&self, key: &str) -> Option<&Input> {
        self.entries()
            .iter()
            .rfind(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// Returns the value at a path of keys: `at(&["issue", "subject"])`.
    pub fn at(&self, path: &[&str]) -> Option<&Input> {
        path.iter().try_fold(self, |input, key| input.get(key))
    }

    /// Returns a text, a number or a boolean as text; `None` for null, lists and maps.
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Input::Bool(value) => Some(Cow::Borrowed(if *value { "true" } else { "false" })),
            Input::Number(text) | Input::Text(text) => Some(Cow::Borrowed(text)),
            Input::Null | Input::List(_) | Input::Map(_) => None,
        }
    }

    /// Returns the items, or `None` if this is not a list.
    pub fn as_list(&self) -> Option<&[Input]> {
        match self {
            Input::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the named values in order; none if this is not a map.
    pub fn entries(&self) -> &[(String, Input)] {
        match self {
            Input::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Whether this is a map, as a request body must be.
    pub fn is_map(&self) -> bool {
        matches!(self, Input::Map(_))
    }

    /// Whether this is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Input::Null)
    }

    /// Whether this is blank: null, white space, an empty list or an empty map.
    pub fn is_blank(&self) -> bool {
        match self {
            Input::Null => true,
            Input::Bool(_) => false,
            Input::Number(text) | Input::Text(text) => text.trim().is_empty(),
            Input::List(items) => items.is_empty(),
            Input::Map(entries) => entries.is_empty(),
        }
    }

    /// Returns the type for messages: `null`, `a boolean`, `a number`, `a string`, `a list`, `an
    /// object`.
    pub fn kind(&self) -> &'static str {
        match self {
            Input::Null => "null",
            Input::Bool(_) => "a boolean",
            Input::Number(_) => "a number",
            Input::Text(_) => "a string",
            Input::List(_) => "a list",
            Input::Map(_) => "an object",
        }
    }
}
