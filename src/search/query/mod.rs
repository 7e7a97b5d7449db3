//! The query language: from text to words, phrases and qualifiers.
//!
//! Parsing needs neither the index nor the viewer. Names in qualifiers are resolved afterwards, and
//! only to what the viewer may see. May import: `analyzer`, `schema`.

mod compound;
pub mod edit;
pub mod mistakes;
pub mod parsed_query;
pub mod parser;
pub mod qualifiers;
pub mod word;
