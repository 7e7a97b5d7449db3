//! What a list asks for: conditions and order, read from the short syntax of contract 4.3.

pub mod dates;
pub mod filter;
pub mod sort;
