//! A search from request to hits: what the REST API and the pages have in common.

mod brief;
pub mod facets;
mod find;
pub mod question;
pub mod title;

pub use brief::{Brief, brief, limit};
pub use find::{Hits, Reasons, Shown, find, numbered_issue};
