//! What can be found?
//!
//! A tantivy index mirrors what the store keeps; questions are answered from it, and hits are loaded through the store again.
//! Invariant: nothing that a viewer may not read decides what that viewer finds, counts or is shown. The index holds no
//! text and can always be made anew from the store. What it holds and how it ranks is data: `index-schema/`.
//! May import: `domain`, `store` (to read), `markup` (to strip). The only room that says tantivy.

pub mod analyzer;
mod background;
mod bonus;
mod collector;
mod directory;
mod documents;
mod error;
mod explain;
mod facade;
mod facts;
mod gate;
mod generation;
mod highlight;
mod index;
mod indexer;
mod language;
mod mapping;
mod mark;
mod matching;
mod narrow;
mod order;
mod patience;
mod plan;
mod prefix;
mod progress;
mod query;
mod rebuild;
mod schema;
mod shortage;
mod similar;
mod snapshot;
mod spelling;
mod statistics;
mod suggest;
mod top_k;
mod verify;
mod visibility;
mod writer;

pub use error::SearchError;
pub use explain::{Explanation, compared};
pub use facade::{Search, Status};
pub use facts::{Counts, Facet, Fact, Need, Test};
pub use highlight::{Excerpt, Highlighter, Known, Passage, Place, RenderedHit};
pub use index::{Answer, Hit, Index, Question};
pub use language::{Malformed, Qualifier};
pub use mapping::{BadMapping, Bounds, Likeness, Mapping};
pub use narrow::narrow;
pub use order::Order;
pub use patience::with_request_deadline;
pub use plan::Attachments;
pub use query::{Asked, BadQuery, Query, Word};
pub use rebuild::{is_kept, is_made, rebuild_beside};
pub use similar::Like;
pub use spelling::Meant;
pub use suggest::Suggest;
pub use verify::{Difference, Report};
pub use visibility::Visibility;

pub use crate::store::searchable::Source;
