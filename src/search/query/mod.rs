//! The query language: from text to words, phrases, qualifiers and groups of them.
//!
//! Parsing needs neither the index nor the viewer. Names in qualifiers are resolved afterwards, and
//! only to what the viewer may see. May import: `analyzer`, `schema`.

pub mod clause;
mod compound;
pub mod dates;
pub mod edit;
pub mod lexer;
pub mod meaning;
pub mod mistakes;
pub mod parsed_query;
pub mod parser;
pub mod qualifier;
pub mod resolve;
pub mod sort;
pub mod token;
pub mod word;
