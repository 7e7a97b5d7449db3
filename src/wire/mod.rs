//! How do values look outside?
//!
//! Out: one description of a value, two writers (JSON and XML), written straight into the reply. In: a query
//! string, a form, a JSON or an XML body becomes one [`Input`] tree.
//! Invariant: both formats carry the same values in the same order, and whatever is written can be parsed.
//! May import nothing of ours; the only room that says `serde_json` and `quick_xml`.

mod digits;
mod fields;
mod input;
mod json;
mod scalar;
mod xml;

pub use fields::{Fields, Meta, failure, items, list, list_with, object, object_in_parts, plain, texts};
pub use input::{BadInput, Input, from_form, from_json, from_query, from_xml};
pub use scalar::{Scalar, Value};

/// The two formats of the REST API, chosen by the suffix of the path (contract 1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// `.json`
    Json,
    /// `.xml`
    Xml,
}

impl Format {
    /// The `Content-Type` of a reply that has a body (contract 1.1).
    pub const fn content_type(self) -> &'static str {
        match self {
            Format::Json => "application/json; charset=utf-8",
            Format::Xml => "application/xml; charset=utf-8",
        }
    }

    /// The suffix of a path in this format, without the dot.
    pub const fn suffix(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Xml => "xml",
        }
    }
}
