//! What can be found?
//!
//! A tantivy index mirrors what the store keeps; questions are answered from it, and hits are loaded through the store again.
//! Invariant: nothing that a viewer may not read decides what that viewer finds, counts or is shown. The index holds no
//! text and can always be made anew from the store. What it holds and how it ranks is data: `index-schema/`.
//! May import: `domain`, `store` (to read), `markup` (to strip). The only room that says tantivy.

pub mod analyzer;
mod collector;
mod documents;
mod error;
mod excerpt;
mod facade;
mod gate;
mod generation;
mod index;
mod indexer;
mod mapping;
mod mark;
mod order;
mod plan;
mod prefix;
mod progress;
mod query;
mod rebuild;
mod schema;
mod statistics;
mod verify;
mod visibility;
mod writer;

pub use error::SearchError;
pub use excerpt::excerpt;
pub use facade::{Search, Status};
pub use index::{Answer, Hit, Index, Question};
pub use mapping::{BadMapping, Bounds, Mapping};
pub use order::Order;
pub use plan::Attachments;
pub use query::{BadQuery, Query};
pub use rebuild::rebuild_beside;
pub use verify::{Difference, Report};
pub use visibility::Visibility;

pub use crate::store::searchable::Source;
