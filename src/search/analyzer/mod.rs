//! The analyzer: splits text into terms.
//!
//! Documents, queries and excerpts use the same analyzer, so that they agree on terms. A token is
//! one term with its byte offsets and its position in the sequence of words. Invariant: offsets are
//! character boundaries; positions never decrease. May import: nothing of ours.

mod fold;
mod joined;
mod names;
mod prefilter;
mod scan;
mod sections;
mod split;
mod stream;
mod tokens;

pub(super) use prefilter::PrefixFilter;
pub use scan::SEPARATOR;
pub use sections::{Section, without_marks};
pub(super) use stream::WordTokenizer;
pub use tokens::{
    ANALYZER_VERSION, AnalyzedToken, EXACT_MARKER, PART, REST, SEGMENT, SUBPART, Tokens, WHOLE,
};
