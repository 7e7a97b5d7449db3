//! Parsers of requests.
//!
//! A query string, a form, a JSON or an XML body, all as one tree: `a[b][]=c` ≡ `{"a":{"b":["c"]}}`
//! ≡ `<a><b type="array"><b>c</b></b></a>`. Invariant: a tree is bounded in depth and size and
//! contains valid UTF-8; no input makes a parser panic. The parsers know nothing of the API: the
//! caller validates the shape.

mod bad_input;
mod json;
mod query;
mod tree;
mod xml;

pub use bad_input::BadInput;
pub use json::from_json;
pub use query::{from_form, from_query};
pub use tree::Input;
pub use xml::from_xml;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
