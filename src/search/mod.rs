//! What can be found?
//!
//! A tantivy index mirrors what the store keeps; questions are answered from it, and hits are loaded through the store again.
//! Invariant: nothing that a viewer may not read decides what that viewer finds, counts or is shown. The index holds no
//! text and can always be made anew from the store. What it holds and how it ranks is data: `index-schema/`.
//! May import: `domain`, `store` (to read), `markup` (to strip). The only room that says tantivy.

pub mod analyzer;
mod collector;
pub mod documents;
pub mod excerpt;
mod gate;
pub mod index;
pub mod mapping;
mod order;
mod plan;
mod prefix;
pub mod query;
mod schema;
mod statistics;
pub mod visibility;
mod writer;

pub use documents::Source;
pub use excerpt::excerpt;
pub use index::{Answer, Hit, Index, IndexError, Question};
pub use mapping::Mapping;
pub use order::Order;
pub use plan::Attachments;
pub use query::{BadQuery, Query};
pub use visibility::Visibility;
