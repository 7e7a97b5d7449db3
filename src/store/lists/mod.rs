//! What lists of records share: conditions from filters and visibility, order, pages, saved queries.

pub mod filter;
pub mod page_size;
pub mod positions;
pub mod queries;
pub mod sort;
pub(in crate::store) mod visibility;
