//! Access control: the visibility of a viewer, compiled for the index.
//!
//! Invariant: for every record, the filter decides as `domain::access::visibility` does. A property
//! test compares them. May import: `schema`.

pub mod filter;
mod project_masks;
pub mod restricted;
pub mod visibility;
