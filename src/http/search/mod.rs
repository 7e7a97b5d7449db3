//! A search from request to hits: what the REST API and the pages have in common.

mod find;
pub mod question;
pub mod title;

pub use find::{Hits, Shown, find, numbered_issue};
