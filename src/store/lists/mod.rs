//! What lists of records share: filters, orders and the visibility of the viewer as SQL, the size
//! of pages, and parts of statements.

pub(crate) mod visibility;

pub mod filter;
pub mod page_size;
pub mod polymorphic;
pub mod positions;
pub mod queries;
pub mod sort;
pub mod texts;
