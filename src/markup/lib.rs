//! Wiki markup to HTML and to plain text.
//!
//! Invariant: the HTML that leaves this module is safe to show, balanced and bounded; the plain
//! text has lost no word. Records are known only as [`Reference`]s, which the caller's
//! [`LinkResolver`] turns into links for one viewer. May import: nothing.

mod addresses;
mod elements;
mod highlight;
pub mod html;
mod inline_tags;
mod limits;
mod markdown;
mod options;
mod plain;
mod reference;
mod reference_parser;
mod render;
mod sanitizer;
pub mod sections;
pub mod strip;
pub mod tasks;
mod textile;
mod url;
mod writer;

pub use addresses::Address;
pub use html::escape;
pub use limits::{MAX_LENGTH, MAX_NESTING, MAX_OUTPUT, MAX_REFERENCES};
pub use options::{RenderOptions, TextFormat};
pub use reference::{Key, Link, LinkResolver, LinkState, NoLinks, Reference, Target};
pub use reference_parser::references;
pub use render::{SafeHtml, render};

#[cfg(test)]
mod tests;
