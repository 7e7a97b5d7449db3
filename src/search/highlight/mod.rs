//! Highlighting: finds the words of a query in texts, and makes excerpts.
//!
//! Texts are analyzed as for the index, so the marked words are those that match: stems, prefixes,
//! phrases, parts of identifiers, CJK bigrams. Excluded words (`-word`) are never marked.

mod excerpt;
mod fields;
mod highlighter;
mod locate;
mod passage;
mod rendered_hit;

pub use excerpt::Excerpt;
pub use fields::TextField;
pub use highlighter::{CoveredWords, Highlighter};
pub use passage::Passage;
pub use rendered_hit::RenderedHit;
