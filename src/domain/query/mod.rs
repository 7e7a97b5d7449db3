//! What a list asks for: conditions and order, read from the short syntax of contract 4.3.

pub mod criterion;
pub mod dates;
pub mod filter;
pub mod issues;
mod known;
pub mod projects;
pub mod saved;
pub mod sort;
pub mod time_entries;
