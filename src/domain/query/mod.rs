//! What a list asks for: conditions and order, read from the short syntax of compatibility 6.3.

pub mod criterion;
pub mod dates;
pub mod filter;
mod filter_field;
pub mod issues;
pub mod projects;
pub mod saved;
pub mod sort;
pub mod time_entries;
