//! Serialization of responses and parsing of requests, in JSON and XML.
//!
//! A view describes a value once; two writers (JSON and XML) write it straight into the response. A
//! query string, a form, a JSON or an XML body is parsed into one [`Input`] tree. Invariant: both
//! formats carry the same values in the same order, and everything that is written can be parsed.
//! Imports nothing else of this crate; the only module that imports `quick_xml`.

mod document;
mod fields;
mod format;
mod input;
mod json_writer;
mod meta;
mod number_format;
mod scalar;
mod xml_writer;

pub use document::{
    error_document, items, list, list_with, object, object_without_root, split_object, texts,
};
pub use fields::Fields;
pub use format::Format;
pub use input::{BadInput, Input, from_form, from_json, from_query, from_xml};
pub use meta::Meta;
pub use scalar::{Scalar, Value};
