//! What did the client send?
//!
//! A query string, a form, a JSON or an XML body, all as one tree:
//! `a[b][]=c` ≡ `{"a":{"b":["c"]}}` ≡ `<a><b type="array"><b>c</b></b></a>`.
//! Invariant: a tree is bounded in depth and size and holds valid UTF-8; no byte string makes a parser panic.
//! The parsers know nothing of the API: whether the shape fits is judged by the caller.

mod bad;
mod json;
mod query;
mod xml;

pub use bad::BadInput;
pub use json::from_json;
pub use query::{from_form, from_query};
pub use xml::from_xml;

use std::borrow::Cow;

/// Levels of objects and lists in a body.
const MAX_DEPTH: usize = 32;

/// Values of any kind in a body.
const MAX_NODES: usize = 50_000;

/// A value from outside.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Input {
    /// JSON `null`, an XML element without content or with `nil="true"`, a parameter without `=`.
    #[default]
    Null,
    /// JSON `true` and `false`, XML `type="boolean"`.
    Bool(bool),
    /// A number in decimal as written, as far as 64 bits hold it: `12`, `-3`, `8.5`, `1e300`.
    Number(String),
    /// Text; every value of a query string or a form is one.
    Text(String),
    /// An ordered list.
    List(Vec<Input>),
    /// Named values in their order. JSON and XML may repeat a name; [`Input::get`] then finds the last.
    Map(Vec<(String, Input)>),
}

impl Input {
    /// The value of a name, the last one if it is repeated; `None` if it is absent or this is not a map.
    pub fn get(&self, key: &str) -> Option<&Input> {
        let found = self.entries().iter().rfind(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    /// The value at the end of a path of names: `at(&["issue", "subject"])`.
    pub fn at(&self, path: &[&str]) -> Option<&Input> {
        path.iter().try_fold(self, |input, key| input.get(key))
    }

    /// Text, a number as written, `true` or `false`; `None` for null, lists and maps.
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Input::Bool(yes) => Some(Cow::Borrowed(if *yes { "true" } else { "false" })),
            Input::Number(text) | Input::Text(text) => Some(Cow::Borrowed(text)),
            Input::Null | Input::List(_) | Input::Map(_) => None,
        }
    }

    /// The items, or `None` if this is not a list.
    pub fn as_list(&self) -> Option<&[Input]> {
        match self {
            Input::List(items) => Some(items),
            _ => None,
        }
    }

    /// The named values in their order; none if this is not a map.
    pub fn entries(&self) -> &[(String, Input)] {
        match self {
            Input::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Whether this is a map, which a request body must be.
    pub fn is_map(&self) -> bool {
        matches!(self, Input::Map(_))
    }

    /// Whether this is null. An absent value is not here at all.
    pub fn is_null(&self) -> bool {
        matches!(self, Input::Null)
    }

    /// Whether nothing is said: null, white space, an empty list or an empty map. `false` says something.
    pub fn is_blank(&self) -> bool {
        match self {
            Input::Null => true,
            Input::Bool(_) => false,
            Input::Number(text) | Input::Text(text) => text.trim().is_empty(),
            Input::List(items) => items.is_empty(),
            Input::Map(entries) => entries.is_empty(),
        }
    }

    /// What this is, for messages: `null`, `a boolean`, `a number`, `a string`, `a list`, `an object`.
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

#[cfg(test)]
#[path = "input/tests.rs"]
mod tests;

#[cfg(test)]
#[path = "input/properties.rs"]
mod properties;
